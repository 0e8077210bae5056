package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

type goal struct {
	seen  string  // what people must have seen at least once
	turns float64 // how often the script must have been gone through
}

// goals are of every script of k6/; a test compares the list with the directory.
func goals() map[string]goal {
	return map[string]goal{
		"functional": {"the comment counts", 4},
		"load":       {"the address is shown on the pending page", 4},
		"stress":     {"the address is shown on the pending page", 4},
		"spike":      {"the address is shown on the pending page", 4},
		"journey":    {"the like counts", 4},
		"soak":       {"the like counts", 4},
		"big":        {"the post can be read", 4},
		"views":      {"the post is shown", 20},
	}
}

func TestEveryScriptPassesOnTheBoard(t *testing.T) {
	t.Parallel()
	site := board(t, "off")
	for name, goal := range goals() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := site
			if name == "views" { // readers of the other scripts would be counted too
				site = board(t, "off")
			}
			dir := t.TempDir()
			o := runScript(t, site, name, "RESULTS="+dir, "NAME="+name).held(t)
			if o.seen(goal.seen) == 0 || o.value("iterations", "count") < goal.turns {
				t.Errorf("%q was seen %d times in %v turns", goal.seen, o.seen(goal.seen), o.value("iterations", "count"))
			}
			if name == "views" {
				o.want(t, map[string]float64{"views_counted value": 20})
			}
			summarised(t, filepath.Join(dir, name))
		})
	}
}

func TestTheListOfScriptsIsWhole(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "k6", "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".js")
		_, listed := goals()[name]
		if runs := strings.Contains(string(text), "export const options"); runs != listed {
			t.Errorf("%s can be run: %v; it is tried: %v", file, runs, listed)
		}
	}
}

func TestWhoIsRefusedPolitelyGoesOnReading(t *testing.T) {
	t.Parallel()
	o := runScript(t, board(t, "on"), "big", "USERS=15").held(t)
	// Of one address 20 sign-ups an hour are taken, and the first was setup's.
	const taken = 19
	turns, refused := o.value("iterations", "count"), o.value("sign_ups_refused", "count")
	if refused < 1 || float64(o.seen("a refusal says when to come again")) != refused {
		t.Errorf("%v refused, %d told when to come again", refused, o.seen("a refusal says when to come again"))
	}
	if o.seen("the address is shown on the pending page") != taken+1 || turns < refused {
		t.Errorf("%d taken, %v turns, %v refused", o.seen("the address is shown on the pending page"), turns, refused)
	}
}

// runScript runs a script of k6/ with few people who are in a hurry.
func runScript(t *testing.T, site, name string, environ ...string) *outcome {
	t.Helper()
	environ = append([]string{"USERS=4", "READERS=20", "RELOADS=5", "THINK=0.1", "DURATION=1m"}, environ...)
	return invokeIn(t, environ, "--base-url", site, "--scale", "0.03", filepath.Join("..", "..", "k6", name+".js"))
}

// held fails unless every promise was kept but those about time: a machine
// that runs other tests beside may be slow, never wrong.
func (o *outcome) held(t *testing.T) *outcome {
	t.Helper()
	if o.status != 0 && o.status != statusThresholds {
		t.Fatalf("status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
	for name, metric := range o.summary.Metrics {
		promises, _ := metric["thresholds"].(map[string]any)
		for promise, broken := range promises {
			if broken == true && !strings.HasPrefix(name, "http_req_duration") {
				t.Errorf("%s: %s is broken", name, promise)
			}
		}
	}
	if strings.Contains(o.stderr, "error:") {
		t.Errorf("a turn ended early")
	}
	o.want(t, map[string]float64{"http_req_failed value": 0, "checks value": 1, "checks fails": 0})
	if t.Failed() {
		t.Logf("%s%s", o.stdout, o.stderr)
	}
	return o
}

// seen is how often a check held, in whatever group.
func (o *outcome) seen(name string) int {
	n := o.summary.Root.Checks[name].Passes
	for _, g := range o.summary.Root.Groups {
		n += g.Checks[name].Passes
	}
	return n
}

// summarised fails unless the script left its summary as JSON and as one page.
func summarised(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path + ".json")
	if err != nil || !json.Valid(text) {
		t.Errorf("the JSON: %v", err)
	}
	page, err := os.ReadFile(path + ".html")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?i)(src|href|url\()\s*=?\s*["']?(https?:)?//|<script|<link|NaN|undefined`).Find(page); found != nil {
		t.Errorf("the page loads something, or tells of nothing: %s", found)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(page)))
	if err != nil {
		t.Fatal(err)
	}
	for what, least := range map[string]int{".verdict": 1, "dl dd": 8, "polyline": 3, ".columns i": 20, ".bar": 1, "section table tr": 4} {
		if n := doc.Find(what).Length(); n < least {
			t.Errorf("%d %s on the page, want %d or more", n, what, least)
		}
	}
}
