package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"madang/static"
	"madang/views"
)

// TestEndToEndGallery looks at pages in the states that no walk leads to.
func TestEndToEndGallery(t *testing.T) {
	chromium := startChromium(t)
	looks := lookedAt([]look{
		{lang: views.Korean, width: 320, script: true},
		{lang: views.English, width: 1280, script: true},
		{lang: views.Korean, width: 1280, dark: true},
		{lang: views.English, width: 320, dark: true},
	})
	for _, look := range looks {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			fair := &exhibition{look: look}
			v := exhibit(t, fair.pages()).visitor(t, chromium, look, "state")
			v.walksPast(fair.pages())
			letters := fair.letters(t)
			exhibit(t, letters).visitor(t, chromium, look, "letter").opensLetters(letters)
		})
	}
}

// TestEndToEndTextWithoutEnd fills every page with text that has no end, runs
// from right to left or cannot be seen.
func TestEndToEndTextWithoutEnd(t *testing.T) {
	chromium := startChromium(t)
	for name, text := range map[string]string{
		"word":   strings.Repeat("Donaudampfschifffahrt", 20),
		"hangul": strings.Repeat("가나다라마바사아자차카타파하", 20),
		"mixed":  strings.Repeat("x", 300) + " שלום \u202e\u2067مرحبا\u200b\u200d\ufeff " + strings.Repeat("\u200b", 300) + "Z̷̢͍͗a̷̡͔͐l̸̰̈g̷̜͛o̷̗͌",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			look := look{lang: views.English, width: 320, script: true}
			fair := &exhibition{look: look, text: text}
			exhibit(t, fair.pages()).visitor(t, chromium, look, "hostile-"+name).walksPast(fair.pages())
		})
	}
}

// exhibit serves components under their names.
func exhibit(t *testing.T, pages map[string]templ.Component) *board {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/static/", static.Handler())
	mux.Handle("/favicon.ico", http.RedirectHandler(static.URL("icon.svg"), http.StatusFound)) // of mails
	mux.HandleFunc("/auth/pending", func(http.ResponseWriter, *http.Request) {})               // asked by the script
	for name, page := range pages {
		mux.Handle("/"+name, templ.Handler(page))
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return &board{url: server.URL}
}

func (v *visitor) walksPast(pages map[string]templ.Component) {
	v.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		v.open("/" + name)
		v.see(name, http.StatusOK, "")
	}
}

// opensLetters looks at mails as a mail reader shows them, by day and night.
func (v *visitor) opensLetters(letters map[string]templ.Component) {
	v.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(letters)) {
		v.open("/" + name)
		v.turn(name)
		v.complain(v.overflow())
		if v.judged() {
			v.complain(v.judgeLetter())
		}
	}
}
