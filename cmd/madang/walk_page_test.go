package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// see checks what holds on every page, and that this is the page of that
// status and title. Pictures of it go into the album.
func (v *visitor) see(name string, status int64, title string) {
	v.t.Helper()
	shifts := v.shifts()
	v.turn(name)
	v.complain(shifts)
	if v.status != status {
		v.fail("answered %d, want %d", v.status, status)
	}
	if got := ask(v, chromedp.Title()); !strings.Contains(got, title) || !strings.Contains(got, "Madang") {
		v.t.Errorf("%s: the title is %q, want %q in it", v.page, got, title)
	}
	if got := evaluate[string](v, `document.documentElement.lang`); got != string(v.lang) {
		v.t.Errorf("%s: the page is in %q, want %q", v.page, got, v.lang)
	}
	v.complain(v.faults.take())
	v.complain(evaluate[[]string](v, outlineFaults))
	v.complain(v.overflow())
	v.complain(v.nameless())
	if v.judged() {
		v.complain(v.judge())
		v.complain(v.overflowAt(768))
	}
}

func (v *visitor) complain(faults []string) {
	v.t.Helper()
	for _, fault := range faults {
		v.t.Errorf("%s: %s", v.page, fault)
	}
}

// outlineFaults lists what is wrong with the outline of a page, and what is too
// small to hit. Links within a sentence may be as small as its words.
const outlineFaults = `(() => {
	const faults = [];
	for (const one of ["h1", "main", "title"]) {
		const n = document.querySelectorAll(one).length;
		if (n !== 1) faults.push("has " + n + " <" + one + ">");
	}
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) faults.push("has the id " + id + " twice");
	for (const e of document.querySelectorAll("a, button, input:enabled, textarea, summary")) {
		const {width, height} = e.getBoundingClientRect();
		if (width > 1 && getComputedStyle(e).display !== "inline" && Math.min(width, height) < 24) {
			faults.push("has a small target: " + e.outerHTML);
		}
	}
	return faults;
})()`

// shifts tells by how much the page moved while it was loaded, if it did. The
// browser tells it to scripts alone.
func (v *visitor) shifts() []string {
	v.t.Helper()
	if !v.look.script {
		return nil
	}
	return evaluate[[]string](v, `(() => {
		const observer = new PerformanceObserver(() => {});
		observer.observe({type: "layout-shift", buffered: true});
		return observer.takeRecords().filter((shift) => !shift.hadRecentInput).map(({value, sources}) =>
			"moves by " + value + ": " + sources.map(({node}) => node?.outerHTML?.slice(0, 80)).join(", "));
	})()`)
}

// overflow tells what makes the page wider than the window, if it is.
func (v *visitor) overflow() []string {
	v.t.Helper()
	size := ask(v, func(ctx context.Context, tab *chromedp.Target) (cdppage.GetLayoutMetricsResult, error) {
		return cdp.Call(ctx, tab, cdppage.GetLayoutMetrics, cdp.Empty{})
	})
	width := evaluate[float64](v, `document.documentElement.scrollWidth`)
	if size.CSSContentSize.Width <= float64(v.look.width) && width <= float64(v.look.width) {
		return nil
	}
	wide := evaluate[[]string](v, `[...document.querySelectorAll("body *")]
		.filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML.slice(0, 80))`)
	return []string{fmt.Sprintf("%v px wide in a window of %d: %q", width, v.look.width, wide)}
}

// overflowAt is overflow in a window of another width.
func (v *visitor) overflowAt(width int64) []string {
	v.t.Helper()
	usual := v.look
	v.look.width = width
	v.do(v.look.window())
	faults := v.overflow()
	v.look = usual
	v.do(v.look.window())
	return faults
}

// controls are the roles of what a visitor can use.
var controls = []string{
	`"button"`, `"link"`, `"textbox"`, `"searchbox"`, `"checkbox"`, `"radio"`, `"combobox"`, `"DisclosureTriangle"`,
}

// nameless lists the controls that say nothing to those who hear the page.
func (v *visitor) nameless() []string {
	v.t.Helper()
	tree := ask(v, func(ctx context.Context, tab *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
		return cdp.Call(ctx, tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	var faults []string
	used := 0
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil || !slices.Contains(controls, string(node.Role.Value)) {
			continue
		}
		used++
		if node.Name == nil || strings.Trim(string(node.Name.Value), `" `) == "" {
			faults = append(faults, fmt.Sprintf("a %s has no name (node %d)", node.Role.Value, node.BackendDOMNodeID))
		}
	}
	if used == 0 {
		faults = append(faults, "there is nothing to use on it")
	}
	return faults
}

// reads sees that a text stands in the first element a selector finds.
func (v *visitor) reads(selector, text string) {
	v.t.Helper()
	got := evaluate[string](v, find(selector)+`?.textContent ?? "nothing"`)
	if got = strings.Join(strings.Fields(got), " "); !strings.Contains(got, text) {
		v.fail("%s says %q, want %q", selector, got, text)
	}
}

// shows sees the value of one of the counts of a post.
func (v *visitor) shows(count, want string) {
	v.t.Helper()
	if got := v.value(count); got != want {
		v.fail("%s is %q, want %q", count, got, want)
	}
}

// value is what a field or a count holds.
func (v *visitor) value(selector string) string {
	v.t.Helper()
	return evaluate[string](v, find(selector)+`?.value ?? "nothing"`)
}

// find is the expression for the first element a selector finds.
func find(selector string) string { return "document.querySelector(" + strconv.Quote(selector) + ")" }
