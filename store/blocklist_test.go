package store

import (
	"slices"
	"strings"
	"testing"
)

func TestCommonPasswordsAreRefused(t *testing.T) {
	own := []string{"Min.Su@example.com", "minsu", "Kim Minsu"}
	for name, passwords := range map[string][]string{
		"on every list":         {"password", "12345678", "1q2w3e4r", "qwertyuiop", "Password1", "PASSWORD123"},
		"in another form":       {"ｐａｓｓｗｏｒｄ", "ＰＡＳＳＷＯＲＤ１２３", "password123 ", " pass word123", "pass\u200bword123", "password\u0000", "\u202epassword1", "비 밀 번 호 12"},
		"of Korean":             {"비밀번호1234", "qlalfqjsgh", "안녕하세요!!!", "dkssudgktpdy1"},
		"one character":         {"zzzzzzzz", "가가가가가가가가", "        "},
		"a row of characters":   {"cdefghij", "76543210", "87654321", "가각갂갃간갅갆갇"},
		"few characters again":  {"12121212", "123123123", "asdfasdfas", "가나가나가나가나", "12 12 12 12"},
		"the site's name":       {"madang2026", "Madang!!!", "마당마당마당마당", "마당12345678"},
		"the person's address":  {"min.su@example.com", "Min.Su2026", "MIN.SU@EXAMPLE.COM1"},
		"the person's nickname": {"minsu1994", "1994-minsu", "minsuminsu"},
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
		"a8473625", "78473625", "Madang is my home", strings.Repeat("나", 128), strings.Repeat("x", 64), "⠓⠑⠇⠇⠕⠺⠕⠗",
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
