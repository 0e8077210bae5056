package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestEndToEndListIsLight holds the list of a full board to what a phone on a
// poor line can bear: 30 KB in three requests when nothing is known yet, and one
// request from then on.
func TestEndToEndListIsLight(t *testing.T) {
	data := newData(t)
	if _, err := runCommand(t, "", "seed", "--data", data); err != nil {
		t.Fatal(err)
	}
	site := startBoard(t, data)
	body, _ := compressed(t, site.url+"/")
	size := len(body)
	unzipped, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	page, err := goquery.NewDocumentFromReader(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	if size > 12<<10 {
		t.Errorf("the page has %d bytes", size)
	}
	requests, sum := 1, size
	page.Find("link[rel~=icon], link[rel=stylesheet], script[src], img[src]").Each(func(_ int, s *goquery.Selection) {
		path := s.AttrOr("href", s.AttrOr("src", ""))
		body, header := compressed(t, site.url+path)
		requests, sum = requests+1, sum+len(body)
		if got := header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s is kept as %q", path, got)
		}
	})
	if requests > 3 || sum > 30<<10 {
		t.Errorf("%d bytes in %d requests", sum, requests)
	}
	t.Logf("the list: %d bytes, all: %d in %d requests", size, sum, requests)
}

// compressed returns an answer as it goes over the line.
func compressed(t *testing.T, url string) ([]byte, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d", url, answer.StatusCode)
	}
	return body, answer.Header
}
