package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// program writes a shell script that can be run.
func program(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	return path
}

func TestAnInstalledK6IsPreferred(t *testing.T) {
	k6 := program(t, "k6", `[ "$1" = version ] && echo "k6 v9.9.9 (go1.26)" || { echo running; echo "$@"; echo "$NAME $BASE_URL"; }`)
	t.Setenv("PATH", filepath.Dir(k6)+":"+os.Getenv("PATH"))
	r, err := Find(t.Context(), "", 1)
	if err != nil || r.Name != "k6 v9.9.9 (go1.26)" {
		t.Fatalf("%+v, %v", r, err)
	}
	l := Load{Script: "a.js", Results: t.TempDir(), Name: "a", Environment: []string{"BASE_URL=http://x"}}
	var progress strings.Builder
	if _, err := r.Run(t.Context(), l, &progress); err != nil {
		t.Fatal(err)
	}
	want := "running\nrun --summary-export " + l.Summary() + " --out csv=" + l.Samples() + " a.js\na http://x\n"
	if diff := cmp.Diff(want, progress.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheOwnRunnerScalesBesideAK6(t *testing.T) {
	k6, own := program(t, "k6", "exit 1"), program(t, "loadtest", `echo "$@"; exit 99`)
	t.Setenv("PATH", filepath.Dir(k6)+":"+os.Getenv("PATH"))
	r, err := Find(t.Context(), own, .5)
	if err != nil || !strings.Contains(r.Name, "k6 cannot scale") {
		t.Fatalf("%+v, %v", r, err)
	}
	l := Load{Script: "a.js", Results: t.TempDir(), Name: "a"}
	out, err := r.Run(t.Context(), l, &strings.Builder{})
	if err != nil || out.Status != StatusThresholds {
		t.Fatalf("%+v, %v", out, err)
	}
	text, err := os.ReadFile(filepath.Join(l.Results, "a.txt"))
	if err != nil || !strings.Contains(string(text), "--scale 0.5 a.js") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestARunThatFailsSaysWhyInOneLine(t *testing.T) {
	r := Runner{program: program(t, "loadtest", `echo first >&2; echo "loadtest: no such module" >&2; exit 107`), scale: 1}
	_, err := r.Run(t.Context(), Load{Script: "a.js", Results: t.TempDir(), Name: "a"}, &strings.Builder{})
	if err == nil || err.Error() != "run a.js: exit status 107: loadtest: no such module" {
		t.Errorf("%v", err)
	}
}

func TestAMissingRunnerIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context(), filepath.Join(t.TempDir(), "loadtest"), 1); err == nil || !strings.Contains(err.Error(), "own runner is missing") {
		t.Errorf("%v", err)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	r := Runner{program: program(t, "loadtest", "exec sleep 60"), scale: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := r.Run(ctx, Load{Results: t.TempDir(), Name: "a"}, &strings.Builder{}); err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
