package web

import "strings"

// mark is a part of a User-Agent and what it stands for.
type mark struct{ part, name string }

// The first mark that is found counts: most browsers also call themselves by
// the names of others.
func browserMarks() []mark {
	return []mark{
		{"KAKAOTALK", "KakaoTalk"},
		{"NAVER(", "NAVER"},
		{"Whale/", "Whale"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
		{"curl/", "curl"},
	}
}

func systemMarks() []mark {
	return []mark{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"CrOS", "ChromeOS"},
		{"Macintosh", "macOS"},
		{"Linux", "Linux"},
	}
}

// device names the browser of a User-Agent in words of our own, so that a
// member knows it again: "Firefox on Windows". It is "" for an unknown one.
func device(userAgent string) string {
	browser, system := firstMark(userAgent, browserMarks()), firstMark(userAgent, systemMarks())
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}

func firstMark(userAgent string, marks []mark) string {
	for _, m := range marks {
		if strings.Contains(userAgent, m.part) {
			return m.name
		}
	}
	return ""
}
