package views

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const link = "https://example.org/board/auth/verify?token=dGhpcyBpcyBhIHRva2VuIG9mIDQzIGNoYXJhY3RlcnMgb3IgbW9yZQ"

// testMail is asked for by somebody whose nickname HTML would have to escape.
func testMail(lang Lang) VerifyMail {
	site := Site{Name: `O'Connor & "김"`, BaseURL: "https://example.org/board", Zone: time.FixedZone("KST", 9*60*60)}
	return VerifyMail{Site: site, Lang: lang, Nickname: "감나무", Link: link, Code: "482913", Until: now.Add(24 * time.Hour)}
}

func mails(t *testing.T) map[string]MailBody {
	t.Helper()
	bodies := map[string]MailBody{}
	for _, lang := range []Lang{Korean, English} {
		verify, err := testMail(lang).Render(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		account, err := AccountMail{Site: testMail(lang).Site, Lang: lang}.Render(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		bodies["verify_"+string(lang)], bodies["account_"+string(lang)] = verify, account
		reset, err := testReset(lang).Render(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		changed, err := PasswordMail{Site: testMail(lang).Site, Lang: lang}.Render(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		bodies["reset_"+string(lang)], bodies["password_"+string(lang)] = reset, changed
		if bodies["deleted_"+string(lang)], err = (DeletedMail{Site: testMail(lang).Site, Lang: lang}).Render(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return bodies
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestMailsReadAsWritten(t *testing.T) {
	for name, body := range mails(t) {
		golden(t, "mail_"+name+".txt", "Subject: "+body.Subject+"\n\n"+body.Text)
		golden(t, "mail_"+name+".html", body.HTML)
	}
}

func TestTheVerificationMailHoldsLinkAndCode(t *testing.T) {
	six := regexp.MustCompile(`\d{6}`)
	for _, lang := range []Lang{Korean, English} {
		body := mails(t)["verify_"+string(lang)]
		if !strings.Contains(body.Text, "\n"+link+"\n") || !strings.Contains(body.Text, "\n482913\n") {
			t.Errorf("%s: link or code has no line of its own:\n%s", lang, body.Text)
		}
		if !strings.Contains(body.HTML, `href="`+link+`"`) || !strings.Contains(body.HTML, ">482913<") {
			t.Errorf("%s: no link or code in the HTML", lang)
		}
		for part, text := range map[string]string{"text": body.Text, "HTML": body.HTML} {
			if got := six.FindAllString(strings.ReplaceAll(text, link, ""), -1); !cmp.Equal(got, []string{"482913"}) {
				t.Errorf("%s %s: runs of six digits %q", lang, part, got)
			}
		}
	}
}

func TestTheAccountMailOpensNothing(t *testing.T) {
	for _, lang := range []Lang{Korean, English} {
		body := mails(t)["account_"+string(lang)]
		for _, text := range []string{body.Subject, body.Text, body.HTML} {
			if regexp.MustCompile(`\d{6}|token|verify|reset`).MatchString(text) {
				t.Errorf("%s: a code or a token in %s", lang, text)
			}
		}
	}
}

func TestTheTextPartIsNotEscaped(t *testing.T) {
	for name, body := range mails(t) {
		if strings.Contains(body.Text+body.Subject, "&#") || strings.Contains(body.Text, "&amp;") {
			t.Errorf("%s: %s", name, body.Text)
		}
		if !strings.Contains(body.Subject, `O'Connor & "김"`) {
			t.Errorf("%s: subject %q", name, body.Subject)
		}
	}
}

func TestTheNicknameInAMailIsInert(t *testing.T) {
	mail := testMail(English)
	mail.Nickname = "https://evil.test/login\r\nBcc: you@evil.test <b>"
	body, err := mail.Render(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const want = "“https···evil·test·login··Bcc··you·evil·test··b·”"
	if !strings.Contains(body.Text, want) || !strings.Contains(body.HTML, want) {
		t.Errorf("nickname in %s", body.Text)
	}
}
