package views

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func pendingSignup() store.Signup {
	return store.Signup{ID: 3, Email: "mina@example.org", Delivery: store.Sending}
}

func TestTheListNamesItsPosts(t *testing.T) {
	posts := []store.Post{
		{ID: 9, Author: "mina", Title: "Nine", Views: 1234, Likes: 5, Comments: 6, CreatedAt: now},
		{ID: 4, Author: "감나무", Title: "넷", CreatedAt: now},
	}
	page := HomePage{Page: testPage(English, ""), Sort: store.SortNew, List: store.PostList{Posts: posts, Older: true, Newer: true}}
	doc := document(t, Home(page))
	var ids []string
	doc.Find("article[data-post-id]").Each(func(_ int, s *goquery.Selection) { ids = append(ids, s.AttrOr("data-post-id", "")) })
	if diff := cmp.Diff([]string{"9", "4"}, ids); diff != "" {
		t.Error(diff)
	}
	first := doc.Find("article").First()
	if got := first.Find("h2 a[href='/board/posts/9']").Text(); got != "Nine" {
		t.Errorf("title %q", got)
	}
	if got := first.Find("time[datetime='2026-11-30T15:04:00Z'][title='30 November 2026, 15:04 UTC']").Text(); got != "just now" {
		t.Errorf("time %q", got)
	}
	for _, want := range []string{"mina", "1,234 views", "5 likes", "6 comments"} {
		if !strings.Contains(first.Text(), want) {
			t.Errorf("no %q in %q", want, first.Text())
		}
	}
	for selector, want := range map[string]string{"a[rel=next]": "/board/?before=4", "a[rel=prev]": "/board/?after=9"} {
		if got := doc.Find(selector).AttrOr("href", ""); got != want {
			t.Errorf("%s leads to %q, want %q", selector, got, want)
		}
	}
	if got := doc.Find(".tabs [aria-current=page]").Text(); got != "New" {
		t.Errorf("current order %q", got)
	}
}

func TestThePopularListKeepsItsOrder(t *testing.T) {
	page := HomePage{Page: testPage(English, ""), Sort: store.SortPopular}
	page.List = store.PostList{Posts: []store.Post{{ID: 9}}, Older: true}
	if got := document(t, Home(page)).Find("a[rel=next]").AttrOr("href", ""); got != "/board/?before=9&sort=popular" {
		t.Errorf("next page %q", got)
	}
}

func TestAnEmptyListHasAWayOn(t *testing.T) {
	page := HomePage{Page: testPage(English, ""), Sort: store.SortNew}
	for path, want := range map[string]string{
		"/":          "/board/posts/new",
		"/?before=1": "/board/",
	} {
		page.Path = path
		if got := document(t, Home(page)).Find(".empty a").AttrOr("href", ""); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

func TestThePendingPageTellsHowFarTheMailIs(t *testing.T) {
	for state, words := range map[store.Delivery]string{
		store.Queued:  "메일을 곧 보내요. 몇 초면 돼요.",
		store.Sending: "메일을 보내고 있어요.",
		store.Sent:    "메일을 보냈어요. 1분 안에 도착할 거예요.",
		store.Failed:  "메일을 전하지 못했어요. 주소를 확인해 주세요.",
	} {
		signup := pendingSignup()
		signup.Delivery = state
		doc := document(t, Pending(PendingPage{Page: testPage(Korean, ""), Signup: signup}))
		line := doc.Find("[aria-live=polite] > p#delivery")
		if got := line.AttrOr("data-state", ""); got != string(state) || line.Text() != words {
			t.Errorf("%s: state %q, %q", state, got, line.Text())
		}
		if doc.Find("main a[href='/board/auth/pending']").Length() != 1 || !strings.Contains(doc.Text(), signup.Email) {
			t.Errorf("%s: no link to look again, or no address", state)
		}
	}
}

func TestThePendingPageHasItsForms(t *testing.T) {
	page := PendingPage{Page: testPage(English, ""), Signup: pendingSignup()}
	fields := func(p PendingPage) map[string]string {
		forms := map[string]string{}
		document(t, Pending(p)).Find("main form").Each(func(_ int, form *goquery.Selection) {
			names := form.Find("[name]").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("name", "") })
			forms[form.AttrOr("action", "")] = strings.Join(names, " ")
		})
		return forms
	}
	want := map[string]string{
		"/board/auth/verify/code": "code", "/board/auth/resend": "", "/board/auth/pending/email": "email",
	}
	if diff := cmp.Diff(want, fields(page)); diff != "" {
		t.Error(diff)
	}
	page.AskNickname, page.Code, page.Form = true, "123456", "code"
	want["/board/auth/verify/code"] = "nickname code"
	if diff := cmp.Diff(want, fields(page)); diff != "" {
		t.Error(diff)
	}
	if got := document(t, Pending(page)).Find("#code").AttrOr("value", ""); got != "123456" {
		t.Errorf("the code after a clash is %q", got)
	}
	page.Signup = store.Signup{}
	if diff := cmp.Diff(map[string]string{"/board/auth/resend": "email"}, fields(page)); diff != "" {
		t.Error(diff)
	}
}

func TestResendSaysHowLongToWait(t *testing.T) {
	page := PendingPage{Page: testPage(English, ""), Signup: pendingSignup()}
	for at, want := range map[time.Duration]string{
		-time.Second:                     "",
		0:                                "",
		42*time.Second + time.Nanosecond: "The button will work in 43 seconds.",
	} {
		page.Signup.ResendAt = now.Add(at)
		doc := document(t, Pending(page))
		if got := doc.Find("#resend-wait").Text(); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
		tied := doc.Find("[data-wait='43']").Length() == 1 && doc.Find("button[aria-describedby=resend-wait]").Length() == 1
		if tied != (want != "") {
			t.Errorf("%s: the button and the script do not know of the wait", at)
		}
	}
}

func TestAFailedFormLeavesTheOthersSound(t *testing.T) {
	page := PendingPage{Page: testPage(English, ""), Signup: pendingSignup(), Form: "code"}
	page.Problems = map[string]store.Problem{"code": "wrong"}
	doc := document(t, Pending(page))
	if !doc.Find("#code").Is("[aria-invalid]") || doc.Find("#email").Is("[aria-invalid]") {
		t.Error("the wrong field is marked")
	}
	page.Form, page.Email, page.Problems = "email", "nonsense", failing(page.Page, "email").Problems
	doc = document(t, Pending(page))
	if doc.Find("#code").Is("[aria-invalid]") || doc.Find("#email[aria-invalid]").AttrOr("value", "") != "nonsense" {
		t.Error("the wrong field is marked, or the address is lost")
	}
}

func TestALinkAsksForWhatItNeeds(t *testing.T) {
	page := VerifyPage{Page: testPage(English, ""), State: VerifyReady, Token: "tok", Email: "m***@example.org"}
	names := func(p VerifyPage) string {
		return strings.Join(document(t, Verify(p)).Find("form[action='/board/auth/verify'] [name]").Map(
			func(_ int, s *goquery.Selection) string { return s.AttrOr("name", "") }), " ")
	}
	if got := names(page); got != "token" {
		t.Errorf("own browser: %q", got)
	}
	page.AskPassword = true
	if got := names(page); got != "token password" {
		t.Errorf("another browser: %q", got)
	}
	page.AskNickname = true
	if got := names(page); got != "token password nickname" {
		t.Errorf("after a clash: %q", got)
	}
	page.OtherUser, page.Page = true, member(page.Page, "hana")
	if text := document(t, Verify(page)).Text(); !strings.Contains(text, "You are logged in as hana here, and you will stay so.") {
		t.Error("nothing about the member who is logged in")
	}
}

func TestADeadLinkHasAWayOn(t *testing.T) {
	page := VerifyPage{Page: testPage(English, ""), Email: "m***@example.org", AskPassword: true}
	for state, want := range map[VerifyState]string{
		VerifyDone:     "main a[href='/board/auth/login']",
		VerifyExpired:  "form[action='/board/auth/resend'] input[name=email][value='']",
		VerifyReplaced: "form[action='/board/auth/resend'] input[name=email][value='']",
		VerifyForged:   "main a[href='/board/auth/signup']",
		VerifyLocked:   "main a[href='/board/auth/signup']",
	} {
		page.State = state
		doc := document(t, Verify(page))
		if doc.Find(want).Length() != 1 || doc.Find("form[action='/board/auth/verify']").Length() != 0 {
			t.Errorf("%s: no %s, or a button that does nothing", state, want)
		}
	}
}

func TestAnErrorSaysWhatToDo(t *testing.T) {
	page := ErrorPage{Page: testPage(English, ""), Status: 429, RetryAfter: 41*time.Second + 1}
	if text := document(t, Error(page)).Find("main").Text(); !strings.Contains(text, "It works again in 42 seconds.") {
		t.Errorf("429: %q", text)
	}
	page = ErrorPage{Page: page.Page, Status: 500, RequestID: "req-1"}
	if got := document(t, Error(page)).Find("main code").Text(); got != "req-1" {
		t.Errorf("500 names the request %q", got)
	}
	for status, same := range map[int]int{418: 400, 502: 500} {
		known, unknown := page, page
		known.Status, unknown.Status = same, status
		if render(t, Error(known)) != render(t, Error(unknown)) {
			t.Errorf("status %d has no words", status)
		}
	}
}

func TestAMailInTheBoxIsShownWithoutItsStyles(t *testing.T) {
	body, err := testMail(Korean).Render(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mail := store.MailboxMail{ID: 9, To: "m@example.org", Subject: body.Subject, Text: body.Text, HTML: body.HTML + hostile, Code: "482913", At: now}
	doc := document(t, Mail(MailPage{Page: testPage(Korean, ""), Mail: mail}))
	if doc.Find("[style], main script, main img, #views, .letter.prose title").Length() != 0 {
		t.Error("the HTML of the mail is not tamed")
	}
	if got := doc.Find("pre").First().Text(); got != body.Text {
		t.Errorf("text part %q", got)
	}
	if got := doc.Find(".code").Text(); got != "482913" {
		t.Errorf("code %q", got)
	}
}

func TestAnAlarmSaysSinceWhenAndWhy(t *testing.T) {
	alarm := store.Alarm{Kind: store.AlarmMail, Since: now.Add(-3 * time.Hour), Reason: `535 "wrong password"`}
	doc := document(t, Admin(AdminPage{Page: testPage(English, ""), Alarms: []store.Alarm{alarm}}))
	banner := doc.Find("[role=alert][data-alarm=mail]")
	if got := banner.Find("time[datetime]").Text(); got != "3 hours ago" {
		t.Errorf("since %q", got)
	}
	if got := banner.Find("code").Text(); got != alarm.Reason {
		t.Errorf("reason %q", got)
	}
	if n := document(t, Admin(AdminPage{Page: testPage(English, "")})).Find("[data-alarm]").Length(); n != 0 {
		t.Errorf("%d alarms when all is well", n)
	}
}
