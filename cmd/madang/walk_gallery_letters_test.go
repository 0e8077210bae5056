package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"madang/views"
)

// letters are the mails of the board, as HTML.
func (e *exhibition) letters(t *testing.T) map[string]templ.Component {
	t.Helper()
	site, lang, until := e.guest().Site, e.look.lang, exhibitedAt.Add(24*time.Hour)
	link := site.BaseURL + "/auth/verify?token=AUQ5LxkfU2ZtR0Vw9c1mBqv3yHnXoKsT7dJgPeIuYaC"
	all := map[string]templ.Component{}
	for name, mail := range map[string]interface {
		Render(ctx context.Context) (views.MailBody, error)
	}{
		"verify":  views.VerifyMail{Site: site, Lang: lang, Nickname: e.said("민수", "morgan"), Link: link, Code: "482913", Until: until},
		"account": views.AccountMail{Site: site, Lang: lang}, "trial": views.TrialMail{Site: site, Lang: lang},
		"reset": views.ResetMail{Site: site, Lang: lang, Link: link, Until: until}, "password": views.PasswordMail{Site: site, Lang: lang},
		"email":        views.EmailMail{Site: site, Lang: lang, Nickname: e.said("민수", "morgan"), Link: link, Until: until},
		"deleted":      views.DeletedMail{Site: site, Lang: lang},
		"email-notice": views.EmailNotice{Site: site, Lang: lang},
	} {
		body, err := mail.Render(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all[name] = templ.Raw(body.HTML)
	}
	return all
}

func TestEveryPageAndMailHangsInTheGallery(t *testing.T) {
	hung := textOf(t, "walk_gallery_*_test.go")
	for what, least := range map[string]int{`(?m)^templ ([A-Z]\w+)\(`: 24, `func \(m (\w+)\) Render\(`: 8} {
		found := regexp.MustCompile(what).FindAllStringSubmatch(textOf(t, "../../views/*.templ")+textOf(t, "../../views/mail*.go"), -1)
		for _, match := range found {
			if !regexp.MustCompile(`views\.` + match[1] + `\b`).MatchString(hung) {
				t.Errorf("%s is not looked at", match[1])
			}
		}
		if len(found) < least {
			t.Errorf("%d of %s", len(found), what)
		}
	}
}

// textOf is what stands in the files of a pattern.
func textOf(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
