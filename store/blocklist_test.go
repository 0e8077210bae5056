package store

import (
	"slices"
	"strings"
	"testing"
)

func TestCommonPasswordsAreRefused(t *testing.T) {
	own := []string{"Min.Su@example.com", "minsu", "Kim Minsu", "홍길동 길동"}
	for name, passwords := range map[string][]string{
		"on every list":         {"password", "12345678", "1q2w3e4r", "qwertyuiop", "Password1", "PASSWORD123"},
		"in another form":       {"ｐａｓｓｗｏｒｄ", "ＰＡＳＳＷＯＲＤ１２３", "password123 ", " pass word123", "pass\u200bword123", "password\u0000", "\u202epassword1", "비 밀 번 호 12"},
		"of Korean":             {"비밀번호1234", "qlalfqjsgh", "안녕하세요!!!", "dkssudgktpdy1"},
		"one character":         {"zzzzzzzz", "가가가가가가가가", "        "},
		"a row of characters":   {"cdefghij", "76543210", "87654321", "가각갂갃간갅갆갇"},
		"few characters again":  {"12121212", "123123123", "asdfasdfas", "가나가나가나가나", "12 12 12 12"},
		"few in any order":      {"abbabaab", "1001101011", "11112222", "aaaabbbbcccc", "aabbccdd", "11223344", "ㅋㅋㅋㅋㅎㅎㅎㅎ"},
		"runs of the keyboard":  {"asdf1234", "1234qwer", "qweasdzxc", "zxcvbnm,./", "1qaz2wsx3edc", "4321rewq", "!@#$%^&*", "poiuytre", "q1w2e3r4", "abcd-1234", "12344321"},
		"runs of Korean":        {"가나다라마바사아", "가나다라1234", "ㄱㄴㄷㄹㅁㅂㅅㅇ", "ㅂㅈㄷㄱㅅㅛㅕㅑ", "ㅁㄴㅇㄹ1234", "ㅁㄴㅇㄹㅎㅗㅓㅏ", "하파타카차자아사", "아야어여오요우유", "ㅋㅌㅊㅍㅠㅜㅡ123"},
		"a date":                {"19900101", "1990-01-01", "1990. 12. 31", "31121990", "12311990", "20240229", "(2001/09/11)"},
		"a telephone":           {"01012345678", "010-1234-5678", "0171234567", "+82 10 1234 5678", "00821012345678", "821012345678"},
		"a resident number":     {"900101-1234567", "0002293234567"},
		"Korean in English":     {"dkssudgktpdy", "dkssud1234", "tkfkdgo!!", "qlqjs1234", "dkaghdkagh", "gksrnr2026", "akekd2026!"},
		"the site's name":       {"madang2026", "Madang!!!", "마당마당마당마당", "마당12345678"},
		"the person's address":  {"min.su@example.com", "Min.Su2026", "MIN.SU@EXAMPLE.COM1"},
		"the person's nickname": {"minsu1994", "1994-minsu", "minsuminsu"},
		"the name in Korean":    {"홍길동19900101", "ghdrlfehd1!", "길동123456", "rlfehd1234"},
		"the person's name":     {"kimminsu", "Kim Minsu", "KimMinsu94", "Kim-2026-!"},
	} {
		for _, password := range passwords {
			if got := newPasswordProblem(password, Member, own...); got != TooCommon {
				t.Errorf("%s: %q is %q", name, password, got)
			}
		}
	}
}

func TestOtherPasswordsAreTakenWhateverTheyAreMadeOf(t *testing.T) {
	own := []string{"Min.Su@example.com", "minsu", "Kim Minsu", "a", "7", ""}
	for _, password := range []string{
		"correct horse 배터리", "비밀 번호  é 🎉", "Password123!", "secret minsu", "minsu likes tea", "kqzvwpxj", "aqzwsxedcrfvtgbyhnuj",
		"a8473625", "78473625", "19901301", "18991231", "01512345678", "9913011234567", "dkssudtkfkd", "qwerhorse", "가나다라의 노래", "ㄱㄴㄷ시험기간ㅠㅠ", "aabbccdx", "zxcvasdq", "Madang is my home", strings.Repeat("나", 128), strings.Repeat("x", 64), "⠓⠑⠇⠇⠕⠺⠕⠗",
	} {
		if got := newPasswordProblem(password, Member, own...); got != "" {
			t.Errorf("%q is %q", password, got)
		}
	}
}

func TestPasswordOfAnAdministratorIsLonger(t *testing.T) {
	for password, want := range map[string]Problem{
		"seven.7": TooShort, "fourteen chars": TooShortAdmin, "fifteen of them": "", "administratoradministrator": "", "madang-2026-2026": TooCommon,
	} {
		if got := newPasswordProblem(password, Admin); got != want {
			t.Errorf("%q is %q, want %q", password, got, want)
		}
	}
	if got := newPasswordProblem("fourteen chars", Moderator); got != "" {
		t.Errorf("of a moderator it is %q", got)
	}
}

func TestListOfCommonPasswordsCanBeSearched(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(commonPasswords, "\n"), "\n")
	if len(lines) < 10_000 || !slices.IsSorted(lines) {
		t.Fatalf("%d lines, sorted %t", len(lines), slices.IsSorted(lines))
	}
	for _, line := range lines {
		if problem := passwordProblem(line, passwordMin); problem != "" || foldPassword(line) != line {
			t.Errorf("%q is no password (%q) or not folded", line, problem)
		}
		if !listed(commonPasswords, line) || listed(commonPasswords, line+"\x00") {
			t.Errorf("%q is not found, or found where it is not", line)
		}
	}
	for _, odd := range []string{"", "\n", "password\n", "a\nb", lines[0] + "\n" + lines[1], "~~~~~~~~~"} {
		if listed(commonPasswords, odd) || listed("", odd) {
			t.Errorf("%q is found", odd)
		}
	}
}

func TestKoreanWordsAreKnownByTheirKeys(t *testing.T) {
	const words = `마당 비밀번호 비번 패스워드 암호 안녕 안녕하세요 사랑 사랑해 사랑해요 사랑합니다
		한국 대한민국 우리나라 서울 부산 감사합니다 고맙습니다 행복 행복하자 천사 바보 멍청이 친구 여보 자기야
		우리집 우리가족 가족 엄마 아빠 아기 하느님 하나님 예수님 강아지 고양이 무지개 하늘 바다 축구 야구
		로그인 회원가입 게시판 관리자`
	if got := strings.Fields(typedKeys(words)); !slices.Equal(got, strings.Fields(koreanWords)) {
		t.Errorf("the keys are %v", got)
	}
	for _, row := range []string{"ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ", "ㅏㅑㅓㅕㅗㅛㅜㅠㅡㅣ", "가나다라마바사아자차카타파하", "하파타카차자아사바마라다나가", "아야어여오요우유으이", "이으유우요오여어야아"} {
		if keys := typedKeys(row); !slices.Contains(strings.Fields(runRows), keys) {
			t.Errorf("%s is %s, which is no row", row, keys)
		}
	}
	for typed, want := range map[string]string{"닭볶음탕 꽃밭 값없이": "ekfrqhrdmaxkd rhcqkx rkqtdjqtdl", "뷁왜": "qnpfrdho", "Kim 1-2": "Kim 1-2"} {
		if got := typedKeys(typed); got != want {
			t.Errorf("%s is typed %s, want %s", typed, got, want)
		}
	}
}
