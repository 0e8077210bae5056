package web

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"madang/store/storetest"
)

func TestPagesAreCompressed(t *testing.T) {
	b := newBoard(t)
	a := b.guest().get("/auth/signup", "Accept-Encoding", "gzip").wants(http.StatusOK)
	if a.header.Get("Content-Encoding") != "gzip" {
		t.Error("not compressed")
	}
	if a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
		t.Errorf("Content-Length %s of %d", a.header.Get("Content-Length"), len(a.body))
	}
	for _, refusal := range []string{"identity", "gzip;q=0", "br, gzip;q=0.0", "x-gzipped"} {
		a := b.guest().get("/auth/signup", "Accept-Encoding", refusal).wants(http.StatusOK)
		if got := a.header.Get("Content-Encoding"); got != "" || !slices.Contains(a.header.Values("Vary"), "Accept-Encoding") {
			t.Errorf("Accept-Encoding %q: compressed with %q, varies by %q", refusal, got, a.header.Values("Vary"))
		}
	}
	if a := b.guest().get("/readyz", "Accept-Encoding", "gzip"); a.header.Get("Content-Encoding") != "" {
		t.Error("two letters are compressed")
	}
}

// A remembered page is compressed once and then given either way.
func TestPostIsTheSameCompressedAndPlain(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, author))
	for name, reader := range map[string]*client{"guest": b.guest(), "member": b.as(author)} {
		reader.get(page) // shows the notice of the login
		for range 2 {
			plain := reader.get(page, "Accept-Encoding", "identity").wants(http.StatusOK)
			packed := reader.get(page, "Accept-Encoding", "gzip").wants(http.StatusOK)
			unpack, err := gzip.NewReader(strings.NewReader(packed.body))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := io.ReadAll(unpack)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(got) < compressFrom || withoutIDs(string(got)) != withoutIDs(plain.body) {
				t.Errorf("%s: the compressed page is another one:\n%s\n%s", name, got, plain.body)
			}
		}
	}
}

// withoutIDs takes the one-time ids of forms out of a page.
func withoutIDs(page string) string {
	before, after, found := strings.Cut(page, `name="form_id" value="`)
	if !found {
		return page
	}
	_, after, _ = strings.Cut(after, `"`)
	return before + after
}
