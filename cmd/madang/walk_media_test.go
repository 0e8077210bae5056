package main

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"madang/views"
)

// TestEndToEndPrintedGallery puts a post on paper, by night too: an article with
// its author, exact times, comments and addresses, and nothing to press.
func TestEndToEndPrintedGallery(t *testing.T) {
	chromium := startChromium(t)
	for _, look := range lookedAt([]look{
		{lang: views.Korean, width: 1280, script: true, dark: true}, {lang: views.English, width: 320, script: true},
	}) {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			fair := &exhibition{look: look}
			v := exhibit(t, fair.pages()).visitor(t, chromium, look, "paper")
			v.open("/post-of-mine")
			v.do(send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
			v.printed(fair.said("민수", "morgan"), "2026")
			if albums() != "" {
				v.keep(filepath.Join(albums(), look.folder(), "paper.png"))
			}
		})
	}
}

func (v *visitor) printed(author, year string) {
	v.t.Helper()
	v.complain(evaluate[[]string](v, `[...document.querySelectorAll("nav, form, button, input, textarea, summary, .button, .act, [role=status]")]
		.filter((e) => e.checkVisibility() && e.getClientRects().length > 0).map((e) => "prints " + e.outerHTML.slice(0, 80))`))
	for what, expression := range map[string]string{
		"the author":   `document.querySelector(".post .by .who").checkVisibility() && document.querySelector(".post .by .who").textContent === "` + author + `"`,
		"a comment":    `document.querySelector(".comment .prose").checkVisibility()`,
		"the date":     `getComputedStyle(document.querySelector(".post time"), "::after").content.includes("` + year + `")`,
		"an address":   `getComputedStyle(document.querySelector(".prose a[href='https://www.openstreetmap.org/']"), "::after").content.includes("https://www.openstreetmap.org/")`,
		"black":        `getComputedStyle(document.querySelector(".post h1")).color === "rgb(0, 0, 0)"`,
		"white":        `getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)"`,
		"light colour": `getComputedStyle(document.documentElement).colorScheme === "light"`,
	} {
		if !evaluate[bool](v, expression) {
			v.t.Errorf("%s: no %s on paper", v.name, what)
		}
	}
}

// TestEndToEndHighContrast looks at colours that are the reader's own: what is
// told by a colour of ours still has to be told.
func TestEndToEndHighContrast(t *testing.T) {
	fair := &exhibition{look: look{lang: views.Korean, width: 320, script: true}}
	v := exhibit(t, fair.pages()).visitor(t, startChromium(t), fair.look, "contrast")
	v.do(send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}},
	}))
	for page, told := range map[string]string{
		"home-unread":    edgeOf(".tabs [aria-current]") + ` === "3px" && ` + edgeOf(".tabs :not([aria-current])") + ` === "0px"`,
		"search-remarks": `getComputedStyle(document.querySelector("mark")).backgroundColor !== getComputedStyle(document.body).backgroundColor`,
		"post-of-mine":   `getComputedStyle(document.querySelector(".like .icon")).fill !== "none"`,
	} {
		v.open("/" + page)
		if !evaluate[bool](v, `matchMedia("(forced-colors: active)").matches && `+told) {
			t.Errorf("%s: not %s", page, told)
		}
	}
}

func edgeOf(selector string) string {
	return `getComputedStyle(` + find(selector) + `).borderBottomWidth`
}
