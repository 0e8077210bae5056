package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// viewJobs counts the events that were written: here each is a job of its own.
func (b *board) viewJobs() int64 { return b.jobs(store.KindViews) }

func TestReadingsThatAreViews(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, author))
	for name, test := range map[string]struct {
		read func() *answer
		want int64
	}{
		"a guest":       {func() *answer { return b.guest().get(page) }, 1},
		"a member":      {func() *answer { return b.as(storetest.Member(t, b.store)).get(page) }, 1},
		"a reply link":  {func() *answer { return b.as(storetest.Member(t, b.store)).get(page + "?reply=1") }, 1},
		"the author":    {func() *answer { return b.as(author).get(page) }, 0},
		"HEAD":          {func() *answer { return b.guest().send(http.MethodHead, page, nil) }, 0},
		"Sec-Purpose":   {func() *answer { return b.guest().get(page, "Sec-Purpose", "prefetch;prerender") }, 0},
		"Purpose":       {func() *answer { return b.guest().get(page, "Purpose", "prefetch") }, 0},
		"X-Moz":         {func() *answer { return b.guest().get(page, "X-Moz", "prefetch") }, 0},
		"a robot":       {func() *answer { return b.guest().get(page, "User-Agent", "Googlebot/2.1") }, 0},
		"no User-Agent": {func() *answer { return b.guest().get(page, "User-Agent", "") }, 0},
		"the 422 of a comment": {func() *answer {
			return b.as(storetest.Member(t, b.store)).post(page+"/comments", url.Values{"form_id": {"x"}})
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := b.viewJobs()
			a := test.read()
			if got := b.viewJobs() - before; got != test.want {
				t.Errorf("%d views, want %d (status %d)", got, test.want, a.status)
			}
			if a.status == http.StatusOK && a.body != "" {
				if _, marked := a.doc().Find("#views").Attr("data-counted"); marked {
					t.Error("marked as uncounted")
				}
			}
		})
	}
}

func TestPageGoesOutWhenItsViewCannotBeWritten(t *testing.T) {
	b := newBoard(t)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	b.views.fail = errors.New("disk is full")
	a := b.guest().get(page).wants(http.StatusOK)
	if got := a.attr("#views", "data-counted"); got != "no" {
		t.Errorf("data-counted is %q", got)
	}
	if !strings.Contains(b.logs.String(), "disk is full") {
		t.Error("not logged")
	}
}
