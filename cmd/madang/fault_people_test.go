package main

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"madang/store/storetest"
)

// uncounted marks a page whose view could not be written.
const uncounted = `data-counted="no"`

var formID = regexp.MustCompile(`name="form_id" value="([^"]+)"`)

// read reads a post: most often as somebody new, else as somebody who has been
// reading before and counts no more.
func (u *user) read(ctx context.Context) {
	if u.count == 0 || u.dice.IntN(4) > 0 {
		u.next()
	}
	u.client.agent = fmt.Sprintf("%sreader %d.%d", firefox, u.n, u.count)
	u.view(ctx, u.load.anyPost(u.dice, 0))
}

func (u *user) view(ctx context.Context, post int64) (reply, bool) {
	e := u.load.ledger.try(entry{Deed: viewed, Who: u.n, Member: u.member.ID, Post: post, Key: u.client.agent})
	a, ok := u.get(ctx, postAt(post))
	if ok && a.status == http.StatusOK && !strings.Contains(a.body, uncounted) {
		u.load.ledger.sure(e)
	}
	return a, ok
}

func postAt(id int64) string { return "/posts/" + strconv.FormatInt(id, 10) }

// write does one of the things that members do.
func (u *user) write(ctx context.Context) {
	if !u.inside {
		u.logIn(ctx)
		return
	}
	switch n := u.dice.IntN(100); {
	case n < 2:
		u.logIn(ctx)
	case n < 12:
		u.writePost(ctx)
	case n < 35:
		u.comment(ctx)
	case n < 60:
		u.like(ctx)
	default:
		u.view(ctx, u.load.anyPost(u.dice, u.member.ID))
	}
}

// logIn opens a session in another browser, and goes on in that once it is open.
func (u *user) logIn(ctx context.Context) {
	before := u.client
	u.client = u.newClient()
	e := u.load.ledger.try(entry{Deed: loggedIn, Who: u.n, Member: u.member.ID})
	a, ok := u.post(ctx, "/auth/login", "email", u.member.Email, "password", storetest.Password)
	if !ok || a.place != "/" {
		u.client.close()
		u.client = before
		return
	}
	before.close()
	u.inside = true
	u.load.ledger.sure(e)
}

// known reports whether the board still knows who this is. An acknowledged
// login must not get lost.
func (u *user) known(a reply) bool {
	if a.leads("/auth/login") {
		u.load.ledger.t.Errorf("member %d was logged in and is not known any more", u.member.ID)
		u.inside = false
	}
	return u.inside
}

func (u *user) writePost(ctx context.Context) {
	if form, ok := u.get(ctx, "/posts/new"); ok {
		u.submit(ctx, form, "/posts", entry{Deed: posted})
	}
}

func (u *user) comment(ctx context.Context) {
	post := u.load.anyPost(u.dice, u.member.ID)
	if form, ok := u.view(ctx, post); ok {
		u.submit(ctx, form, postAt(post)+"/comments", entry{Deed: commented, Post: post})
	}
}

// submit fills a form in and sends it until that is acknowledged: however often
// it comes, it makes one thing.
func (u *user) submit(ctx context.Context, form reply, to string, e entry) {
	id := formID.FindStringSubmatch(form.body)
	if !u.known(form) || id == nil {
		return
	}
	e.Who, e.Member, e.Key = u.n, u.member.ID, id[1]
	e.Text = fmt.Sprintf("%s %d of person %d", e.Deed, u.next(), u.n)
	noted := u.load.ledger.try(e)
	for ctx.Err() == nil {
		a, ok := u.post(ctx, to, "title", e.Text, "body", e.Text, "form_id", e.Key)
		if !ok {
			continue
		}
		if u.known(a) && a.status == http.StatusSeeOther {
			u.made(noted, a.place)
		}
		return
	}
}

// made notes what came of a form, from the place it led to.
func (u *user) made(e *entry, leadsTo string) {
	at, fragment, _ := strings.Cut(leadsTo, "#comment-")
	number := path.Base(at)
	if e.Deed == commented {
		number = fragment
	}
	id, _ := strconv.ParseInt(number, 10, 64)
	u.load.ledger.made(e, id)
	u.load.ledger.sure(e)
	if e.Deed == posted {
		u.load.addPost(place{id, u.member.ID})
	}
}

func (u *user) like(ctx context.Context) {
	what, verb := liked, "/like"
	if u.dice.IntN(3) == 0 {
		what, verb = unliked, "/unlike"
	}
	post := u.load.anyPost(u.dice, 0)
	e := u.load.ledger.try(entry{Deed: what, Who: u.n, Member: u.member.ID, Post: post})
	if a, ok := u.post(ctx, postAt(post)+verb); ok && u.known(a) && a.leads(postAt(post)) {
		u.load.ledger.sure(e)
	}
}

// join signs somebody new up; most of them then type the code of their mail.
func (u *user) join(ctx context.Context) {
	u.client.close()
	u.client = u.newClient()
	e := u.signUp(ctx, fmt.Sprintf("n%d-%d", u.n, u.next()))
	if e.Sure && u.dice.IntN(4) > 0 {
		u.verify(ctx, e.Key)
	}
}

func (u *user) signUp(ctx context.Context, nickname string) *entry {
	e := u.load.ledger.try(entry{Deed: signedUp, Who: u.n, Key: nickname + "@example.com"})
	a, ok := u.post(ctx, "/auth/signup", "email", e.Key, "name", "Name", "nickname", nickname, "password", password)
	if ok && a.leads("/auth/pending") {
		u.load.ledger.sure(e)
	}
	return e
}

func (u *user) verify(ctx context.Context, address string) {
	code := u.code(ctx, address)
	if code == "" {
		return
	}
	e := u.load.ledger.try(entry{Deed: verified, Who: u.n, Key: address})
	if a, ok := u.post(ctx, "/auth/verify/code", "code", code); ok && a.place == "/" {
		u.load.ledger.sure(e)
	}
}

// code waits a moment for the mail to an address.
func (u *user) code(ctx context.Context, address string) string {
	for deadline := time.Now().Add(2 * time.Second); ctx.Err() == nil && time.Now().Before(deadline); {
		if mails := u.load.site.sink.to(address); len(mails) > 0 {
			return mails[0].letter().code()
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return ""
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
