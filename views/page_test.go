package views

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

// hostile breaks out of text, attributes and scripts where any of these is open.
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)><a id=views href="javascript:alert(1)">` +
	"\u202e</textarea></title></style>&lt;&#39;{{.}}<!--"

func TestNothingStandsInline(t *testing.T) {
	everyPage(t, hostile, func(t *testing.T, doc *goquery.Document) {
		doc.Find("*").Each(func(_ int, s *goquery.Selection) {
			for _, attr := range s.Nodes[0].Attr {
				if attr.Key == "style" || strings.HasPrefix(attr.Key, "on") {
					t.Errorf("<%s %s=%q>", goquery.NodeName(s), attr.Key, attr.Val)
				}
			}
		})
		doc.Find("style, script:not([src]), iframe, object, embed, base, meta[http-equiv]").Each(
			func(_ int, s *goquery.Selection) { t.Errorf("<%s>", goquery.NodeName(s)) })
		doc.Find("script").Each(func(_ int, s *goquery.Selection) {
			if s.Text() != "" || !strings.HasPrefix(s.AttrOr("src", ""), "/board/static/") {
				t.Errorf("script %q: %q", s.AttrOr("src", ""), s.Text())
			}
		})
	})
}

// shape is a document without its texts and values.
func shape(doc *goquery.Document) []string {
	var tags []string
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		names := []string{goquery.NodeName(s)}
		for _, attr := range s.Nodes[0].Attr {
			names = append(names, attr.Key)
		}
		tags = append(tags, strings.Join(names, " "))
	})
	return tags
}

func TestHostileTextMakesNoElement(t *testing.T) {
	harmless, attacked := gallery(English, "mina"), gallery(English, hostile)
	for name := range harmless {
		if diff := cmp.Diff(shape(document(t, harmless[name])), shape(document(t, attacked[name]))); diff != "" {
			t.Errorf("%s (-harmless +hostile):\n%s", name, diff)
		}
	}
}

func TestHostileTextComesBackUnchanged(t *testing.T) {
	page := testPage(English, "")
	doc := document(t, PostForm(PostFormPage{Page: page, Title: hostile, Body: "\n" + hostile}))
	if got := doc.Find("#title").AttrOr("value", ""); got != hostile {
		t.Errorf("title %q", got)
	}
	if got := doc.Find("#body").Text(); got != "\n"+hostile {
		t.Errorf("body %q", got)
	}
}

func TestEveryAddressBeginsWithThePrefix(t *testing.T) {
	everyPage(t, "mina", func(t *testing.T, doc *goquery.Document) {
		for _, attr := range []string{"href", "src", "action", "formaction", "data-follow"} {
			doc.Find("[" + attr + "]").Each(func(_ int, s *goquery.Selection) {
				address := s.AttrOr(attr, "")
				path := strings.TrimPrefix(address, "https://example.org") // canonical addresses are whole
				inside := strings.HasPrefix(path, "/board/") || strings.HasPrefix(address, "#")
				if !inside && address != "https://x.org/?mina" {
					t.Errorf("<%s %s=%q>", goquery.NodeName(s), attr, address)
				}
			})
		}
	})
}

func TestEveryPageHasItsFrame(t *testing.T) {
	everyPage(t, "mina", func(t *testing.T, doc *goquery.Document) {
		for selector, want := range map[string]int{
			"html[lang]": 1, "head > title": 1, "main#main": 1, "h1": 1, "a.skip[href='#main']": 1, "header.top": 1,
			"meta[name=viewport]": 1, "meta[name=theme-color][media]": 2, "link[rel=stylesheet]": 1, "[role=status]": 1,
			"form[action='/board/language'] input[name=lang]": 1, "form[action='/board/language'] input[name=next]": 1,
		} {
			if got := doc.Find(selector).Length(); got != want {
				t.Errorf("%d of %s, want %d", got, selector, want)
			}
		}
	})
}

func TestIdsAreUniqueAndTied(t *testing.T) {
	everyPage(t, hostile, func(t *testing.T, doc *goquery.Document) {
		seen := map[string]bool{}
		doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
			id := s.AttrOr("id", "")
			if seen[id] {
				t.Errorf("id %q stands twice", id)
			}
			seen[id] = true
		})
		for _, attr := range []string{"for", "aria-describedby", "aria-labelledby"} {
			doc.Find("[" + attr + "]").Each(func(_ int, s *goquery.Selection) {
				for id := range strings.FieldsSeq(s.AttrOr(attr, "")) {
					if !seen[id] {
						t.Errorf("%s leads to no %q", attr, id)
					}
				}
			})
		}
		doc.Find(".summary a, .skip").Each(func(_ int, s *goquery.Selection) {
			if id := strings.TrimPrefix(s.AttrOr("href", ""), "#"); !seen[id] {
				t.Errorf("link to no %q", id)
			}
		})
	})
}

func TestEveryFieldHasALabel(t *testing.T) {
	everyPage(t, "mina", func(t *testing.T, doc *goquery.Document) {
		doc.Find("main input:not([type=hidden]), main textarea").Not(".prose input").Each(func(_ int, s *goquery.Selection) {
			id := s.AttrOr("id", "")
			if doc.Find("label[for='"+id+"']").Length() != 1 {
				t.Errorf("field %q has no label", id)
			}
			name := s.AttrOr("name", "")
			if id != "to" && s.Is(":not([readonly])") && name != id && !strings.HasSuffix(id, "-"+name) {
				t.Errorf("field %q is named %q", id, name)
			}
		})
		doc.Find("button, a").Each(func(_ int, s *goquery.Selection) {
			if strings.TrimSpace(s.Text()) == "" {
				html, _ := goquery.OuterHtml(s)
				t.Errorf("nothing to read on %s", html)
			}
		})
	})
}

func TestAProblemIsSaidAtTheTopAndBesideItsField(t *testing.T) {
	page := failing(testPage(English, ""), "email", "nickname")
	doc := document(t, Signup(SignupPage{Page: page, Email: "nonsense", Nickname: "x y", Name: "Mina"}))
	if title := doc.Find("title").Text(); title != "Error: Sign up · Madang" {
		t.Errorf("title %q", title)
	}
	summary := doc.Find("main > [role=alert]")
	if summary.AttrOr("tabindex", "") != "-1" || summary.Is(":not([autofocus])") {
		t.Error("the summary does not take the focus")
	}
	for _, name := range []string{"email", "nickname"} {
		field := doc.Find("#" + name)
		words := doc.Find("#" + name + "-problem").Text()
		ids := strings.Fields(field.AttrOr("aria-describedby", ""))
		if words == "" || ids[0] != name+"-problem" || field.AttrOr("aria-invalid", "") != "true" {
			t.Errorf("%s: %q, described by %q", name, words, ids)
		}
		if got := summary.Find("a[href='#" + name + "']").Text(); got != words {
			t.Errorf("the summary says %q, the field %q", got, words)
		}
	}
	if doc.Find("#name").Is("[aria-invalid]") || doc.Find("#name").AttrOr("value", "") != "Mina" {
		t.Error("the sound field is changed")
	}
}

func TestAProblemOfTheWholeFormLeadsToItsFirstField(t *testing.T) {
	page := testPage(Korean, "")
	page.Problems = failing(page, "form").Problems
	page.Problems["form"] = "login"
	doc := document(t, Login(LoginPage{Page: page, Email: "a@example.org"}))
	if got := doc.Find("[role=alert] a[href='#email']").Text(); got != "이메일 주소나 비밀번호가 맞지 않아요." {
		t.Errorf("summary %q", got)
	}
	if doc.Find("[aria-invalid]").Length() != 0 {
		t.Error("a wrong login tells which field was wrong")
	}
}

func TestFormsHelpPasswordManagers(t *testing.T) {
	page := testPage(English, "")
	signup := document(t, Signup(SignupPage{Page: page}))
	login := document(t, Login(LoginPage{Page: page}))
	pending := document(t, Pending(PendingPage{Page: page, Signup: pendingSignup()}))
	for selector, doc := range map[string]*goquery.Document{
		"#email[autocomplete=username]":                                   signup,
		"#password[autocomplete=new-password][type=password]":             signup,
		"#password[autocomplete=current-password][type=password]":         login,
		"#code[autocomplete=one-time-code][inputmode=numeric][type=text]": pending,
	} {
		if doc.Find(selector).Length() != 1 {
			t.Errorf("no %s", selector)
		}
	}
	for _, doc := range []*goquery.Document{signup, login} {
		if doc.Find("[type=password][value]").Length() != 0 || doc.Find("form.form:not([novalidate])").Length() != 0 {
			t.Error("a password has a value, or the browser judges the form")
		}
	}
}

func TestLoginLeadsBack(t *testing.T) {
	page := testPage(English, "")
	page.Path = "/posts/new?a=b&c=d"
	doc := document(t, Home(HomePage{Page: page}))
	address, err := url.Parse(doc.Find("nav a").First().AttrOr("href", ""))
	if err != nil {
		t.Fatal(err)
	}
	if address.Path != "/board/auth/login" || address.Query().Get("next") != page.Path {
		t.Errorf("login at %s", address)
	}
	page.Path = "/auth/signup"
	doc = document(t, Signup(SignupPage{Page: page}))
	if got := doc.Find("header nav a").First().AttrOr("href", ""); got != "/board/auth/login" {
		t.Errorf("login at %s", got)
	}
}

func TestTheHeaderKnowsWhoIsThere(t *testing.T) {
	guest := testPage(English, "")
	links := func(p Page) []string {
		var list []string
		document(t, Home(HomePage{Page: p})).Find("header nav a").Each(func(_ int, s *goquery.Selection) {
			list = append(list, strings.TrimSpace(s.Text()))
		})
		return list
	}
	admin := member(guest, "mina")
	plain := admin
	plain.User.Role = "member"
	for _, c := range []struct {
		page Page
		want []string
	}{{guest, []string{"Log in", "Sign up"}}, {plain, []string{"New post"}}, {admin, []string{"Admin", "New post"}}} {
		if got := links(c.page); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
