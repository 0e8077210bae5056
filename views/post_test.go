package views

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func postPage() PostPage {
	return PostPage{
		Page:     member(testPage(English, ""), "mina"),
		Post:     store.Post{ID: 7, AuthorID: 5, Author: "mina", Title: "Seven", Body: "Hello **you**", Views: 1234, Likes: 8, Comments: 2, CreatedAt: now},
		Counted:  true,
		Comments: []store.Comment{{ID: 11, Author: "hana", Body: "Hi", CreatedAt: now}},
		Form:     CommentForm{FormID: "f"},
	}
}

func TestAPostCarriesItsCounts(t *testing.T) {
	doc := document(t, Post(postPage()))
	for id, want := range map[string]string{"views": "1234", "likes": "8", "comments": "2"} {
		if got := doc.Find("data#"+id).AttrOr("value", ""); got != want {
			t.Errorf("%s %q, want %q", id, got, want)
		}
	}
	if doc.Find("[data-counted]").Length() != 0 {
		t.Error("a counted view is marked")
	}
	page := postPage()
	page.Counted = false
	if got := document(t, Post(page)).Find("data#views").AttrOr("data-counted", ""); got != "no" {
		t.Errorf("data-counted %q, want no", got)
	}
}

func TestAPostShowsWhatTheReaderMayDo(t *testing.T) {
	page := postPage()
	page.User.Role = store.Member
	page.Post.AuthorID = page.User.ID + 1
	for _, c := range []struct {
		name    string
		change  func(*PostPage)
		has, no []string
	}{
		{"member", func(*PostPage) {}, []string{
			"form[action='/board/posts/7/like'] button[aria-pressed=false]",
			"form[action='/board/posts/7/comments'] input[name=form_id][value=f]", "#comment-11",
			"#comment-11 a[href='/board/posts/7?reply=11#comment-form'][aria-label='Reply to hana']",
		}, []string{"a[href$='/edit']", "details.sure", "input[name=parent]", ".edited", ".answering"}},
		{"member who likes it", func(p *PostPage) { p.Liked = true }, []string{
			"form[action='/board/posts/7/unlike'] button[aria-pressed=true]",
		}, nil},
		{"author", func(p *PostPage) { p.Post.AuthorID = p.User.ID; p.Post.EditedAt = now }, []string{
			"a[href='/board/posts/7/edit']", "details form[action='/board/posts/7/delete'] button", ".edited",
		}, nil},
		{"moderator", func(p *PostPage) { p.User.Role = store.Moderator }, []string{
			"a[href='/board/posts/7/edit']", "a[href='/board/comments/11/edit']",
		}, nil},
		{"author of a comment", func(p *PostPage) { p.Comments[0].AuthorID = p.User.ID }, []string{
			"a[href='/board/comments/11/edit']", "details form[action='/board/comments/11/delete'] button",
		}, nil},
		{"answering", func(p *PostPage) { p.Form.Parent = 11 }, []string{
			"#comment-form input[name=parent][value='11']", "#comment-form a[href='#comment-11']",
			"#comment-form a[href='/board/posts/7?reply=0#comment-form']",
		}, nil},
		{"guest", func(p *PostPage) { p.User = store.User{} }, []string{
			"a[href='/board/auth/login?next=%2Fposts%2F7']", "a #likes",
			"#comment-11 a[href='/board/auth/login?next=%2Fposts%2F7%3Freply%3D11%23comment-form']",
		}, []string{"form[action$='/comments']", "form[action$='/like']"}},
	} {
		page := page
		page.Comments = []store.Comment{page.Comments[0]}
		c.change(&page)
		doc := document(t, Post(page))
		for _, selector := range c.has {
			if doc.Find(selector).Length() == 0 {
				t.Errorf("%s: no %s", c.name, selector)
			}
		}
		for _, selector := range c.no {
			if doc.Find(selector).Length() != 0 {
				t.Errorf("%s: %s", c.name, selector)
			}
		}
	}
}

func TestAnswersStandBelowWhatTheyAnswer(t *testing.T) {
	page := postPage()
	page.Comments = nil
	for _, c := range []store.Comment{{ID: 1}, {ID: 3, Parent: 1}, {ID: 6, Parent: 1}, {ID: 2}, {ID: 5, Parent: 2}, {ID: 7, Parent: 99}} {
		page.Comments = append(page.Comments, c)
		page.Comments[len(page.Comments)-1].Author = "hana"
	}
	var got []string
	document(t, Post(page)).Find(".comment").Each(func(_ int, s *goquery.Selection) {
		id := strings.TrimPrefix(s.AttrOr("id", ""), "comment-")
		if s.HasClass("reply") {
			id = ">" + id
		}
		got = append(got, id)
	})
	if diff := cmp.Diff([]string{"1", ">3", ">6", "2", ">5", "7"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestACommentWhoseParentIsGoneIsSentAgainOnItsOwn(t *testing.T) {
	page := postPage()
	page.Form.Parent = 999
	page.Problems = map[string]store.Problem{"parent": store.Missing}
	doc := document(t, Post(page))
	if doc.Find("input[name=parent]").Length() != 0 || doc.Find("[role=alert] li").Length() != 1 {
		t.Error("the form still answers the comment that is gone")
	}
}
