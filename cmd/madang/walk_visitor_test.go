package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"madang/views"
)

// stepWithin is how long one step of a visitor may take on a slow machine.
const stepWithin = 30 * time.Second

// look is how somebody looks at the board.
type look struct {
	lang   views.Lang
	width  int64
	script bool
	dark   bool
}

func (l look) String() string {
	script, scheme := "script", "light"
	if !l.script {
		script = "noscript"
	}
	if l.dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%d-%s-%s-%s", l.width, l.lang, script, scheme)
}

// visitor is somebody at a tab of Chromium, with cookies of their own.
type visitor struct {
	t      *testing.T
	tab    context.Context
	base   string
	name   string
	look   look
	lang   views.Lang // of the page they are on
	status int64      // of the page they are on
	faults *faults
	album  album
	page   string // what they see, for who reads of a fault
	axe    string // source of what judges the pages
}

// visitor opens a tab on nothing yet.
func (b *board) visitor(t *testing.T, chromium context.Context, look look, name string) *visitor {
	t.Helper()
	tab, leave := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	t.Cleanup(leave)
	v := &visitor{
		t: t, tab: tab, base: b.url, name: name, look: look, lang: look.lang,
		faults: new(faults), axe: readAxe(t),
	}
	if err := chromedp.Do(tab, look.wear()); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	if err := chromedp.Listen(tab, v.faults.hear); err != nil {
		t.Fatalf("listen to a tab: %v", err)
	}
	t.Cleanup(func() { v.complain(v.faults.take()) })
	return v
}

// window is the action that gives a tab its size.
func (l look) window() chromedp.Action[chromedp.Void] { return chromedp.EmulateViewport(l.width, 800) }

// wear gives a tab the look: size, language, scheme, script. Chromium without
// windows names itself so, which counts as a robot: a person's browser does not.
func (l look) wear() chromedp.Action[chromedp.Void] {
	return chromedp.Steps(
		l.window(),
		send(emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent:      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
			AcceptLanguage: string(l.lang),
		}),
		l.scheme(),
		send(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !l.script}),
		send(audits.Enable, cdp.Empty{}),
	)
}

// send is the action that gives the browser a command.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, command, params)
		return err
	})
}

// do takes steps on the page the visitor is on.
func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ask(v, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		return chromedp.Steps(steps...)(ctx, tab)
	})
}

// ask runs an action in time and returns what it found.
func ask[T any](v *visitor, action chromedp.Action[T]) T {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.tab, stepWithin)
	defer cancel()
	found, err := chromedp.Run(ctx, action)
	if err != nil {
		v.fail("%v", err)
	}
	return found
}

// evaluate returns the value of an expression on the page.
func evaluate[T any](v *visitor, expression string) T {
	v.t.Helper()
	return ask(v, chromedp.Evaluate[T](expression))
}

// fail ends the test.
func (v *visitor) fail(format string, args ...any) {
	v.t.Helper()
	v.t.Fatalf("%s at %s: %s", v.name, v.page, fmt.Sprintf(format, args...))
}

// lead takes steps that lead to another page and waits for that page.
func (v *visitor) lead(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.tab, stepWithin)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, steps...)
	if err != nil {
		v.fail("no other page: %v", err)
	}
	v.status = answer.Status
}

// open types an address of the board, or one on it.
func (v *visitor) open(address string) {
	v.t.Helper()
	v.lead(chromedp.Navigate(v.base + strings.TrimPrefix(address, v.base)))
}

// follow clicks on what leads to another page.
func (v *visitor) follow(selector string) {
	v.t.Helper()
	v.lead(click(selector))
}

// click presses a button of the mouse on what a selector finds, once it is
// there to be seen.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := chromedp.Click(chromedp.CSS(selector))(ctx, tab); err != nil {
			return fmt.Errorf("click %s: %w", selector, err)
		}
		return nil
	})
}

// fill replaces what is in a field, as a paste or an input method would.
func (v *visitor) fill(field, text string) {
	v.t.Helper()
	v.do(
		click(field),
		chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)),
		send(input.InsertText, input.InsertTextParams{Text: text}),
	)
	if got := v.value(field); got != text {
		v.fail("%s holds %q, want %q", field, got, text)
	}
}

// press types key by key into what has the focus.
func (v *visitor) press(keys string) {
	v.t.Helper()
	v.do(chromedp.KeyEvent(keys))
}

// until asks again and again until a condition holds on the page. Chromium's
// own polling needs a page that may run scripts.
func (v *visitor) until(condition string) {
	v.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(stepWithin); !evaluate[bool](v, condition); <-tick.C {
		if time.Now().After(deadline) {
			v.fail("never came true: %s", condition)
		}
	}
}

// comeBackUntil opens an address again and again, or without one follows the
// link that checks again, until a condition holds on the page.
func (v *visitor) comeBackUntil(address, condition string) {
	v.t.Helper()
	for deadline := time.Now().Add(stepWithin); ; {
		if address == "" {
			v.follow(checkAgain)
		} else {
			v.open(address)
		}
		if evaluate[bool](v, condition) {
			return
		}
		if time.Now().After(deadline) {
			v.fail("never came true: %s", condition)
		}
	}
}

// word is what the page says under a key, in its language.
func (v *visitor) word(key string) string { return v.lang.Word(key) }
