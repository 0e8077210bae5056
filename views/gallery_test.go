package views

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"madang/store"
)

// now is the time of every request in these tests.
var now = time.Date(2026, 11, 30, 15, 4, 0, 0, time.UTC)

// testPage is a page of a site below a path, so that an address which forgets
// the prefix shows.
func testPage(lang Lang, text string) Page {
	return Page{
		Site: Site{Name: "Madang", BaseURL: "https://example.org/board", Prefix: "/board", DevMail: true},
		Lang: lang, Path: "/posts/7?x=" + text, Now: now,
		Notice: Notice{Key: NoticeWelcome, Args: []string{text}},
	}
}

func member(p Page, nickname string) Page {
	p.User = store.User{ID: 5, Nickname: nickname, Role: store.Admin}
	return p
}

func failing(p Page, fields ...string) Page {
	p.Problems = map[string]store.Problem{}
	for _, field := range fields {
		p.Problems[field] = store.Malformed
	}
	return p
}

// gallery renders every component in every state, with a text in every field
// that anybody else fills. Markdown has tests of its own.
func gallery(lang Lang, text string) map[string]templ.Component {
	guest := testPage(lang, text)
	me := member(guest, text)
	post := store.Post{ID: 7, AuthorID: 5, Author: text, Title: text, Views: 3, CreatedAt: now, EditedAt: now}
	comment := store.Comment{ID: 11, AuthorID: 5, Author: text, CreatedAt: now, EditedAt: now}
	answer := store.Comment{ID: 12, Parent: 11, Author: text, CreatedAt: now}
	signup := store.Signup{ID: 3, Email: text, Delivery: store.Queued, ResendAt: now.Add(time.Minute)}
	mail := store.MailboxMail{ID: 9, To: text, Subject: text, Text: text, Link: "https://x.org/?" + text, Code: text, At: now}
	list := store.PostList{Posts: []store.Post{post}, Newer: true, Older: true}
	threads := []store.Comment{comment, answer}
	all := map[string]templ.Component{
		"home":             Home(HomePage{Page: me, List: list, Sort: store.SortNew}),
		"home popular":     Home(HomePage{Page: guest, List: list, Sort: store.SortPopular}),
		"home empty":       Home(HomePage{Page: guest, Sort: store.SortPopular}),
		"search":           Search(SearchPage{Page: guest, Text: text, Found: foundResult(text)}),
		"search nothing":   Search(SearchPage{Page: me, Text: text, Found: store.SearchResult{Nothing: true}}),
		"search none":      Search(SearchPage{Page: me, Text: text}),
		"search empty":     Search(SearchPage{Page: guest}),
		"post":             Post(PostPage{Page: guest, Post: post, Counted: true, Comments: threads}),
		"post of a member": Post(PostPage{Page: failing(me, "body"), Post: post, Liked: true, Comments: threads, Form: CommentForm{Body: text, FormID: text, Parent: 11}}),
		"new post":         PostForm(PostFormPage{Page: failing(me, "title", "body"), Title: text, Body: text, FormID: text}),
		"edit post":        PostForm(PostFormPage{Page: me, ID: 7, Title: text, Body: text}),
		"comment":          Comment(CommentPage{Page: failing(me, "body"), ID: 11, PostID: 7, Body: text}),
		"signup":           Signup(SignupPage{Page: failing(guest, "email", "name", "nickname", "password"), Email: text, Name: text, Nickname: text}),
		"login":            Login(LoginPage{Page: failing(guest, "form"), Email: text, Next: text}),
		"pending":          Pending(PendingPage{Page: guest, Signup: signup}),
		"pending code":     Pending(PendingPage{Page: failing(guest, "nickname"), Signup: signup, Form: "code", AskNickname: true, Nickname: text, Code: text}),
		"pending address":  Pending(PendingPage{Page: failing(guest, "email"), Signup: signup, Form: "email", Email: text}),
		"pending again":    Pending(PendingPage{Page: failing(guest, "form"), Signup: signup, Form: "resend"}),
		"no pending":       Pending(PendingPage{Page: failing(guest, "email"), Form: "resend", Email: text}),
		"verify":           Verify(VerifyPage{Page: failing(me, "nickname", "password"), State: VerifyReady, Token: text, Email: text, AskPassword: true, AskNickname: true, Nickname: text, OtherUser: true}),
		"error":            Error(ErrorPage{Page: guest, Status: 500, RequestID: text, RetryAfter: time.Second}),
		"admin":            Admin(AdminPage{Page: me, Alarms: []store.Alarm{{Kind: store.AlarmMail, Since: now, Reason: text}}, Jobs: []store.JobCount{{Kind: text, State: store.Dead, Count: 1}}}),
		"backups":          Admin(AdminPage{Page: backedUp(me), Backups: store.BackupRuns{Good: now, Failed: now, Failure: text}}),
		"jobs":             Jobs(jobsPage(me, text)),
		"no jobs":          Jobs(JobsPage{Page: me, Kind: text, State: store.Dead}),
		"job":              Job(JobPage{Page: me, Job: jobOf(text, store.Dead), Attempts: []store.Attempt{{Number: 1, Kind: text, BeganAt: now, EndedAt: now, Outcome: store.OutcomeDead, Words: text}, {Number: 2, Outcome: store.OutcomeDone}}}),
		"new job":          Job(JobPage{Page: me, Job: jobOf(text, store.Running)}),
		"pools":            Pools(poolsPage(me, text)),
		"no pools":         Pools(PoolsPage{Page: me}),
		"users":            Users(usersPage(me, text)),
		"weak user":        Users(UsersPage{Page: me, Weak: text}),
		"no users":         Users(UsersPage{Page: me, Query: store.MemberQuery{Text: text}}),
		"confirm":          Confirm(ConfirmPage{Page: failing(me, "current"), Act: ActRole, Member: memberRow(text), Role: store.Admin, Next: "/admin/users?q=x"}),
		"mailbox":          Mailbox(MailboxPage{Page: guest, To: text, Mails: []store.MailboxMail{mail}}),
		"mail":             Mail(MailPage{Page: guest, Mail: mail}),
	}
	for _, state := range []VerifyState{VerifyReady, VerifyDone, VerifyExpired, VerifyReplaced, VerifyForged, VerifyLocked} {
		all["verify "+string(state)] = Verify(VerifyPage{Page: guest, State: state, Token: text, Email: text})
	}
	maps.Copy(all, forgotGallery(guest, text))
	maps.Copy(all, accountGallery(me, text))
	return all
}

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var html strings.Builder
	if err := c.Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	return html.String()
}

func document(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(render(t, c)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// everyPage runs a test on each page of the gallery in both languages.
func everyPage(t *testing.T, text string, test func(t *testing.T, doc *goquery.Document)) {
	t.Helper()
	for _, lang := range []Lang{Korean, English} {
		for name, page := range gallery(lang, text) {
			t.Run(string(lang)+" "+name, func(t *testing.T) { test(t, document(t, page)) })
		}
	}
}
