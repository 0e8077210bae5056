package web

import (
	"fmt"
	"net/http"
	"testing"

	"madang/store/storetest"
)

func TestListIsPagedByIds(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	for range 2*pageSize + 1 {
		storetest.Post(t, b.store, u)
	}
	c := b.guest()
	seen := map[string]bool{}
	path := "/"
	for _, want := range []int{pageSize, pageSize, 1} {
		page := c.get(path).wants(http.StatusOK)
		posts := page.doc().Find("article[data-post-id]")
		if posts.Length() != want {
			t.Fatalf("%s: %d posts, want %d", path, posts.Length(), want)
		}
		for _, n := range posts.Nodes {
			for _, attr := range n.Attr {
				if attr.Key == "data-post-id" {
					seen[attr.Val] = true
					path = "/?before=" + attr.Val
				}
			}
		}
	}
	if len(seen) != 2*pageSize+1 {
		t.Errorf("%d posts seen", len(seen))
	}
	c.get("/?sort=popular").wants(http.StatusOK)
	c.get(fmt.Sprintf("/?after=%d", pageSize)).wants(http.StatusOK)
}

func TestGarbageInTheQueryOfTheListIsABadRequest(t *testing.T) {
	c := newBoard(t).guest()
	for _, query := range []string{
		"before=x", "before=", "after=-1", "before=0", "after=9223372036854775808", "before=1&after=2", "sort=x",
		"before=1%20OR%201=1", "after=%00", "sort=%ff", "before=1e9",
	} {
		c.get("/?" + query).wants(http.StatusBadRequest)
	}
	for _, query := range []string{"utm_source=x", "%zz", "limit=1e9", "page=-1"} {
		c.get("/?" + query).wants(http.StatusOK)
	}
}
