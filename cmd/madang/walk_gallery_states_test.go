package main

import (
	"time"

	"github.com/a-h/templ"

	"madang/store"
	"madang/views"
)

// exhibition is pages in a language. All that people wrote is the text, where
// there is one.
type exhibition struct {
	look look
	text string
}

var exhibitedAt = time.Date(2026, 5, 2, 7, 30, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return exhibitedAt.Add(-d) }

// said is what somebody wrote.
func (e *exhibition) said(korean, english string) string {
	switch {
	case e.text != "":
		return e.text
	case e.look.lang == views.Korean:
		return korean
	}
	return english
}

func (e *exhibition) guest() views.Page {
	site := views.Site{Name: "Madang", BaseURL: "https://board.example.org", DevMail: true}
	return views.Page{Site: site, Lang: e.look.lang, Path: "/", Now: exhibitedAt}
}

func (e *exhibition) member() views.Page {
	p := e.guest()
	p.User = store.User{ID: 5, Nickname: e.said("민수", "morgan"), Email: e.said("minsu@example.com", "morgan@example.com"), Role: store.Member}
	return p
}

func (e *exhibition) chief() views.Page {
	p := e.member()
	p.User.Role = store.Admin
	return p
}

func failed(p views.Page, problems map[string]store.Problem) views.Page {
	p.Problems = problems
	return p
}

func noticed(p views.Page, key string, args ...string) views.Page {
	p.Notice = views.Notice{Key: key, Args: args}
	return p
}

func at(p views.Page, path string) views.Page {
	p.Path = path
	return p
}

// pages are those that no walk leads to, by their names.
func (e *exhibition) pages() map[string]templ.Component {
	all := map[string]templ.Component{}
	for _, part := range []func(map[string]templ.Component){
		e.errors, e.links, e.pending, e.lists, e.posts, e.forms, e.admin, e.pools,
	} {
		part(all)
	}
	return all
}

func (e *exhibition) errors(all map[string]templ.Component) {
	for name, page := range map[string]views.ErrorPage{
		"400": {Status: 400}, "403": {Status: 403}, "404": {Status: 404}, "413": {Status: 413},
		"429": {Status: 429, RetryAfter: 90 * time.Second},
		"500": {Status: 500, RequestID: "FC3GCCEEIWE4NYSZMVZEUTJUTZ"}, "503": {Status: 503, RetryAfter: 3 * time.Second},
	} {
		page.Page = e.guest()
		all["error-"+name] = views.Error(page)
	}
}

// links are the pages behind the links of mails.
func (e *exhibition) links(all map[string]templ.Component) {
	address := e.said("m***@example.com", "m***@example.com")
	wrong := map[string]store.Problem{"password": store.Wrong, "nickname": store.Taken}
	all["verify-refused"] = views.Verify(views.VerifyPage{
		Page: failed(e.member(), wrong), State: views.VerifyReady, Email: address,
		AskPassword: true, AskNickname: true, Nickname: e.said("지우", "jiwoo"), OtherUser: true,
	})
	for _, state := range []views.VerifyState{
		views.VerifyReady, views.VerifyDone, views.VerifyExpired, views.VerifyReplaced, views.VerifyForged, views.VerifyLocked,
	} {
		all["verify-"+string(state)] = views.Verify(views.VerifyPage{Page: e.guest(), State: state, Email: address})
	}
	for _, state := range []views.ResetState{
		views.ResetReady, views.ResetUsed, views.ResetExpired, views.ResetReplaced, views.ResetOvertaken, views.ResetForged,
	} {
		all["reset-"+string(state)] = views.Reset(views.ResetPage{Page: e.guest(), State: state, Email: address})
	}
	for _, state := range []views.EmailState{
		views.EmailDone, views.EmailExpired, views.EmailReplaced, views.EmailOvertaken, views.EmailForged, views.EmailForeign,
	} {
		all["change-"+string(state)] = views.EmailChange(views.EmailPage{Page: e.member(), State: state, Email: address})
	}
}

func (e *exhibition) pending(all map[string]templ.Component) {
	signup := store.Signup{ID: 3, Email: e.said("minsu@example.com", "morgan@example.com"), ResendAt: exhibitedAt.Add(42 * time.Second)}
	for _, state := range []store.Delivery{store.Queued, store.Sending, store.Sent, store.Failed} {
		signup.Delivery = state
		all["pending-"+string(state)] = views.Pending(views.PendingPage{Page: e.guest(), Signup: signup})
	}
	all["pending-clash"] = views.Pending(views.PendingPage{
		Page: failed(e.guest(), map[string]store.Problem{"nickname": store.Taken}), Signup: signup,
		Form: "code", AskNickname: true, Nickname: e.said("지우", "jiwoo"), Code: "482913",
	})
	all["pending-wrong-code"] = views.Pending(views.PendingPage{
		Page: failed(e.guest(), map[string]store.Problem{"code": store.Wrong}), Signup: signup, Form: "code",
	})
	all["pending-resent"] = views.Pending(views.PendingPage{Page: noticed(e.guest(), views.NoticeResent), Signup: signup})
}

func (e *exhibition) lists(all map[string]templ.Component) {
	posts := []store.Post{
		{ID: 9, AuthorID: 5, Author: e.said("민수", "morgan"), Title: e.said("토요일 남산 산책, 함께 가실 분", "A walk around the hill on Saturday"), Views: 48, Likes: 12, Comments: 7, CreatedAt: ago(2 * time.Minute)},
		{ID: 8, Title: e.said("떠난 사람이 남긴 글", "What somebody left behind"), Views: 12345, Likes: 678, Comments: 90, CreatedAt: ago(26 * time.Hour)},
		{ID: 7, Author: e.said("지우", "jiwoo"), Title: e.said("작은 서버 한 대로 일 년", "A year on one small server"), CreatedAt: ago(900 * 24 * time.Hour)},
	}
	list := store.PostList{Posts: posts, Newer: true, Older: true}
	all["home-unread"] = views.Home(views.HomePage{
		Page: noticed(e.member(), views.NoticeWelcome, e.said("민수", "morgan")), List: list, Sort: store.SortNew,
		Unread: map[int64]store.Unread{9: {Comments: 3}, 8: {Comments: store.UnreadMax}, 7: {Post: true}},
	})
	all["home-empty"] = views.Home(views.HomePage{Page: e.guest(), Sort: store.SortNew})
	all["home-no-popular"] = views.Home(views.HomePage{Page: e.guest(), Sort: store.SortPopular})
	profile := store.Profile{ID: 5, Nickname: e.said("민수", "morgan"), CreatedAt: ago(1000 * time.Hour)}
	said := store.SaidList{Said: []store.Said{{
		Comment: store.Comment{ID: 4, PostID: 9, Body: e.said("저도 갈게요! 07:30에 봬요.", "Count me in! See you at 07:30."), CreatedAt: ago(time.Hour)},
		Title:   posts[0].Title,
	}}}
	all["profile"] = views.Profile(views.ProfilePage{Page: e.guest(), Profile: profile, Part: views.ProfilePosts, Posts: list})
	all["profile-comments"] = views.Profile(views.ProfilePage{Page: e.guest(), Profile: profile, Part: views.ProfileComments, Said: said})
	all["profile-nothing"] = views.Profile(views.ProfilePage{Page: e.member(), Profile: profile, Part: views.ProfilePosts})
	hit := []store.Piece{{Text: e.said("토요일 ", "on ")}, {Text: e.said("남산", "Saturday"), Hit: true}, {Text: e.said(" 산책", " morning")}}
	all["search-remarks"] = views.Search(views.SearchPage{Page: at(e.guest(), "/search?q=x"), Text: e.said("남산", "saturday"), Found: store.SearchResult{
		Hits: []store.SearchHit{
			{Post: posts[0], Title: hit, Excerpt: hit}, {Post: posts[1], Title: hit, Excerpt: hit, Comment: store.Comment{ID: 9, Author: e.said("지우", "jiwoo")}},
		}, Count: 200, More: true, Newer: true, Widened: true, Unfinished: true, Filling: true,
	}})
}

func (e *exhibition) posts(all map[string]templ.Component) {
	author, other := e.said("민수", "morgan"), e.said("지우", "jiwoo")
	post := store.Post{
		ID: 9, AuthorID: 5, Author: author, Title: e.said("토요일 남산 산책, 함께 가실 분", "A walk around the hill on Saturday"),
		Body: e.said(stories[views.Korean].body, stories[views.English].body), Views: 1234, Likes: 12, Comments: 4,
		CreatedAt: ago(26 * time.Hour), EditedAt: ago(time.Hour),
	}
	comments := []store.Comment{
		{ID: 11, PostID: 9, AuthorID: 5, Author: author, Body: e.said("질문은 여기에 남겨 주세요.", "Ask here if anything is unclear."), CreatedAt: ago(3 * time.Hour)},
		{ID: 13, PostID: 9, Parent: 11, AuthorID: 6, Author: other, Body: e.said("어디서 모이나요?", "Where do we meet?"), CreatedAt: ago(2 * time.Hour), EditedAt: ago(time.Hour)},
		{ID: 12, PostID: 9, AuthorID: 7, Body: e.said("비가 오면요?", "What if it rains?"), CreatedAt: ago(time.Hour)},
		{ID: 14, PostID: 9, Parent: 2, AuthorID: 6, Author: other, Body: e.said("@민수 저도 갈게요!", "@morgan Count me in!"), CreatedAt: ago(time.Minute)},
	}
	all["post-of-mine"] = views.Post(views.PostPage{
		Page: noticed(e.member(), views.NoticePosted), Post: post, Liked: true, Counted: true, Comments: comments,
		Earlier: 3, Later: 20, Mentions: []string{author}, Seen: 12, Form: views.CommentForm{Parent: 12},
	})
	all["post-uncounted"] = views.Post(views.PostPage{
		Page: failed(e.chief(), map[string]store.Problem{"body": store.Missing}), Post: post, Comments: comments[2:3], Form: views.CommentForm{Body: " "},
	})
	all["post-alone"] = views.Post(views.PostPage{Page: e.guest(), Post: store.Post{ID: 9, Title: post.Title, Body: post.Body, CreatedAt: ago(time.Minute)}, Counted: true})
}
