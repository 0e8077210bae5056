package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// programs builds the board and the runner and returns the flags that name
// them, with a directory for the report.
func programs(t *testing.T) (flags []string, results string) {
	t.Helper()
	if testing.Short() {
		t.Skip("two programs are built for it, which takes long")
	}
	dir := t.TempDir()
	for _, name := range []string{"madang", "loadtest"} {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, name), "madang/cmd/"+name)
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", name, err, said)
		}
	}
	t.Setenv("THINK", "0.1")
	t.Setenv("MADANG_DATA", filepath.Join(dir, "of somebody else"))
	results = filepath.Join(dir, "results")
	return []string{
		"--madang", filepath.Join(dir, "madang"), "--loadtest", filepath.Join(dir, "loadtest"), "--smtp-delay", "200ms",
		"--scripts", filepath.Join("..", "..", "k6"), "--results", results, "--scale", "0.02",
	}, results
}

func with(flags []string, more ...string) []string { return append(slices.Clone(flags), more...) }

// watched calls a function once, when some words are said.
type watched struct {
	strings.Builder
	words string
	then  func()
}

func (w *watched) Write(p []byte) (int, error) {
	if w.then != nil && strings.Contains(string(p), w.words) {
		w.then()
		w.then = nil
	}
	return w.Builder.Write(p)
}

func TestEndToEndLoadReport(t *testing.T) {
	flags, results := programs(t)
	t.Run("a report is made of a real board", func(t *testing.T) { makeReport(t, flags, results) })
	t.Run("an interrupt ends everything", func(t *testing.T) { interrupt(t, flags, results) })
	t.Run("a board that ends ends the run", func(t *testing.T) { loseBoard(t, flags) })
}

func makeReport(t *testing.T, flags []string, results string) {
	t.Helper()
	var out, said strings.Builder
	status := run(t.Context(), with(flags, "--only", "functional,views"), &out, &said)
	for line := range strings.Lines(said.String()) {
		// A machine that runs other tests beside may be slow, never wrong.
		if words, complaint := strings.CutPrefix(line, "loadreport: "); complaint &&
			!strings.Contains(words, "p95 is") && !strings.Contains(words, "broken: http_req_duration") {
			t.Errorf("status %d: %s", status, words)
		}
	}
	if t.Failed() {
		t.Fatalf("it said\n%s", said.String())
	}
	for _, words := range []string{"| functional |", "20 readers reloaded one post 100 times each: 20 views were counted.", "README.md stays"} {
		if status == 0 && !strings.Contains(out.String(), words) {
			t.Errorf("%q is missing in\n%s", words, out.String())
		}
	}
	checkPage(t, results)
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(results), "load-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func checkPage(t *testing.T, results string) {
	t.Helper()
	f, err := os.Open(filepath.Join(results, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := goquery.NewDocumentFromReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Find("svg[role=img]").Length(); n != 4 {
		t.Errorf("%d figures, want two for each scenario", n)
	}
	if n := doc.Find("script, link, img, [src]").Length(); n != 0 {
		t.Errorf("the page loads %d things", n)
	}
	pages := doc.Find("#functional details").Text()
	if !strings.Contains(pages, "log in") || strings.Contains(pages, "mailbox") {
		t.Errorf("the pages are %s", pages)
	}
	links := doc.Find("#views nav a")
	if links.Length() != 5 {
		t.Errorf("%d files of a scenario, want 5", links.Length())
	}
	links.Each(func(_ int, a *goquery.Selection) {
		if _, err := os.Stat(filepath.Join(results, a.AttrOr("href", ""))); err != nil {
			t.Error(err)
		}
	})
}

func interrupt(t *testing.T, flags []string, results string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said := &watched{words: "made ready", then: cancel}
	if status := run(ctx, with(flags, "--only", "functional"), &strings.Builder{}, said); status != statusStopped {
		t.Errorf("status %d\n%s", status, said)
	}
	log, err := os.ReadFile(filepath.Join(results, "functional.board.log"))
	if err != nil || !strings.Contains(string(log), `"msg":"stopped"`) {
		t.Errorf("the board did not stop: %v\n%s", err, log)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(results), "load-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func loseBoard(t *testing.T, flags []string) {
	t.Helper()
	said := &watched{words: "made ready", then: func() { killChildren(t, "madang") }}
	status := run(t.Context(), with(flags, "--only", "functional"), &strings.Builder{}, said)
	if status != statusFault || !strings.Contains(said.String(), "loadreport: functional: the board ended while the script ran") {
		t.Errorf("status %d\n%s", status, said)
	}
}

// killChildren kills the children of this process that run a program of that name.
func killChildren(t *testing.T, name string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("this system does not show its processes in /proc")
	}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text))
		if fields[1] == "("+name+")" && fields[3] == strconv.Itoa(os.Getpid()) {
			pid, err := strconv.Atoi(fields[0])
			if err != nil {
				t.Fatal(err)
			}
			child, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			_ = child.Kill()
		}
	}
}
