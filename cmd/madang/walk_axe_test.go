package main

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"madang/store/storetest"
	"madang/views"
)

// axeFile is axe-core, which npm installs for the tests. It judges pages by the
// rules of WCAG and is no part of the program.
const axeFile = "../../k6/node_modules/axe-core/axe.min.js"

// withoutAxe is why pages are not judged on a machine without npm.
const withoutAxe = "axe-core is not installed (npm ci in k6/): the pages are not judged by it"

// judge lists what axe finds wrong with the page, and which texts cannot be read
// in the scheme that the visitor does not have.
func (v *visitor) judge() []string {
	v.t.Helper()
	faults := v.axeFaults(`{runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}`)
	v.do(v.look.other().scheme())
	faults = append(faults, v.axeFaults(`{runOnly: {type: "rule", values: ["color-contrast"]}}`)...)
	v.do(v.look.scheme())
	return faults
}

// judgeLetter lists what axe finds wrong with a mail, which has no landmarks. Its
// colours are looked at by day alone: by night axe does not see that the canvas,
// which the mail leaves to its reader, is dark.
func (v *visitor) judgeLetter() []string {
	v.t.Helper()
	return v.axeFaults(`{runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}`)
}

func (v *visitor) axeFaults(options string) []string {
	v.t.Helper()
	if v.axe == "" {
		return nil
	}
	if !evaluate[bool](v, `"axe" in window`) {
		evaluate[bool](v, v.axe+"; true")
	}
	return ask(v, chromedp.Evaluate[[]string](`axe.run(document, `+options+`).then(({violations}) =>
		violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => id + ": " + html + " " + failureSummary)))`,
		chromedp.EvalAwaitPromise))
}

// judged tells whether somebody's pages are judged by axe: in one width of each
// language, where scripts run, and on one database. By night the colours are
// looked at there too.
func (v *visitor) judged() bool {
	return !storetest.OnPostgres() && v.look.script && (v.look.width == 320) == (v.look.lang == views.Korean)
}

// readAxe returns the source of axe, "" where it is not installed.
func readAxe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(axeFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(source)
}

// other is the same look in the other scheme.
func (l look) other() look {
	l.dark = !l.dark
	return l
}

// scheme is the action that makes it day or night.
func (l look) scheme() chromedp.Action[chromedp.Void] {
	name := "light"
	if l.dark {
		name = "dark"
	}
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// badPage breaks a rule of each kind, and moves.
const badPage = `data:text/html,<!DOCTYPE html><title>Bad</title><style>p{color:%23aaa;background:%23fff}
	@media(prefers-color-scheme:dark){b{color:%23333;background:%23000}}</style>
	<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><p>pale</p><b>dark</b>
	<script>requestAnimationFrame(()=>requestAnimationFrame(()=>{document.querySelector("p").style.marginTop="9em"}))</script>`

// TestEndToEndAxe sees that what judges the pages is there, and finds faults.
func TestEndToEndAxe(t *testing.T) {
	if readAxe(t) == "" {
		lacks(t, withoutAxe)
	}
	v := (&board{}).visitor(t, startChromium(t), look{lang: views.English, width: 1280, script: true}, "axe")
	v.do(chromedp.Navigate(badPage))
	v.until(find("p") + `.style.marginTop !== ""`)
	found := strings.Join(append(v.judge(), v.shifts()...), "\n")
	for _, want := range []string{"image-alt: <img", "html-has-lang: <html", "color-contrast: <p", "color-contrast: <b>", "moves by"} {
		if !strings.Contains(found, want) {
			t.Errorf("nothing about %q in %s", want, found)
		}
	}
}
