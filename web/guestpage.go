package web

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"madang/store"
	"madang/views"
)

// guestPages remembers how posts look to guests. A page is given again only
// for exactly what it was made of, as just read from the database: nothing has
// to be told of a change, in whatever process it was made. Under load most
// readers of a post come within the second its words of time are good for.
type guestPages struct {
	limit int // of the bytes that are kept
	mu    sync.Mutex
	pages map[guestKey]*guestPage
	size  int
}

// guestPagesLimit is for all remembered pages together.
const guestPagesLimit = 8 << 20

func newGuestPages(limit int) *guestPages {
	return &guestPages{limit: limit, pages: map[guestKey]*guestPage{}}
}

// guestKey is where a page is looked for.
type guestKey struct {
	postID int64
	lang   views.Lang
	path   string // with the query, which stands in the way back from a login
}

// guestPage is a page and all it was made of.
type guestPage struct {
	now    time.Time
	thread store.Thread
	body   *content
}

// render returns the page of a post, which may lie in buf.
func (g *guestPages) render(ctx context.Context, buf *bytes.Buffer, page views.PostPage) (*content, error) {
	if !forAnyGuest(page) {
		err := views.Post(page).Render(ctx, buf)
		return &content{plain: buf.Bytes()}, err
	}
	page.Now = page.Now.Truncate(time.Second)
	key := guestKey{page.Post.ID, page.Lang, page.Path}
	if kept := g.find(key); kept != nil && kept.is(page) {
		return kept.body, nil
	}
	if err := views.Post(page).Render(ctx, buf); err != nil {
		return nil, err
	}
	fresh := &guestPage{page.Now, threadOf(page), &content{plain: bytes.Clone(buf.Bytes())}}
	g.keep(key, fresh)
	return fresh.body, nil
}

// forAnyGuest reports whether nothing on the page is for one person or moment.
func forAnyGuest(p views.PostPage) bool {
	return p.Guest() && !p.Liked && p.Counted && p.Seen == 0 &&
		p.Notice.Key == "" && p.Problems == nil && p.Form == views.CommentForm{}
}

func (p *guestPage) is(page views.PostPage) bool {
	t := &p.thread
	return p.now.Equal(page.Now) && t.Post == page.Post && slices.Equal(t.Comments, page.Comments) &&
		t.Earlier == page.Earlier && t.Later == page.Later && slices.Equal(t.Mentions, page.Mentions)
}

// threadOf is what a page shows of the board.
func threadOf(p views.PostPage) store.Thread {
	return store.Thread{Post: p.Post, Comments: p.Comments, Earlier: p.Earlier, Later: p.Later, Mentions: p.Mentions}
}

func (g *guestPages) find(key guestKey) *guestPage {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pages[key]
}

// keep takes the place of the page that was there. When all are too many they
// are forgotten together: a page that is asked for often is soon back.
func (g *guestPages) keep(key guestKey, p *guestPage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before, ok := g.pages[key]; ok {
		g.size -= before.weight()
	}
	if g.size+p.weight() > g.limit {
		clear(g.pages)
		g.size = 0
	}
	if p.weight() > g.limit {
		return
	}
	g.pages[key] = p
	g.size += p.weight()
}

// weight is about what a page takes in memory, plain and compressed.
func (p *guestPage) weight() int {
	const rest = 1 << 10
	size := rest + 2*len(p.body.plain) + len(p.thread.Post.Body)
	for _, c := range p.thread.Comments {
		size += rest + len(c.Body)
	}
	return size
}
