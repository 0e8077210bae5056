package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what one run of the command left behind.
type outcome struct {
	status         int
	stdout, stderr string
	summary        struct {
		Metrics map[string]map[string]any `json:"metrics"`
		Root    group                     `json:"root_group"`
	}
}

type group struct {
	Path   string           `json:"path"`
	Groups map[string]group `json:"groups"`
	Checks map[string]struct {
		Passes int `json:"passes"`
		Fails  int `json:"fails"`
	} `json:"checks"`
}

// load runs the script against the site with the flags.
func load(t *testing.T, site http.Handler, text string, flags ...string) *outcome {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "script.js")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if site != nil {
		flags = append(flags, "--base-url", serve(t, site))
	}
	return invoke(t, append(flags, path)...)
}

// serve answers with the site until the test is over.
func serve(t *testing.T, site http.Handler) string {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	return server.URL
}

// invoke runs the command with the arguments.
func invoke(t *testing.T, args ...string) *outcome {
	t.Helper()
	return invokeIn(t, []string{"COLOUR=blue"}, args...)
}

// invokeIn is invoke with an environment.
func invokeIn(t *testing.T, environ []string, args ...string) *outcome {
	t.Helper()
	summary := filepath.Join(t.TempDir(), "summary.json")
	var stdout, stderr bytes.Buffer
	o := &outcome{}
	o.status = run(t.Context(), append([]string{"--summary", summary}, args...), environ, &stdout, &stderr)
	o.stdout, o.stderr = stdout.String(), stderr.String()
	if written, err := os.ReadFile(summary); err == nil {
		if err := json.Unmarshal(written, &o.summary); err != nil {
			t.Fatalf("summary: %v", err)
		}
	}
	return o
}

// ok fails unless the run ended with that status.
func (o *outcome) ok(t *testing.T, status int) *outcome {
	t.Helper()
	if o.status != status {
		t.Fatalf("status %d, want %d\n%s%s", o.status, status, o.stdout, o.stderr)
	}
	return o
}

// passed fails when a check or an iteration did.
func (o *outcome) passed(t *testing.T) *outcome {
	t.Helper()
	o.ok(t, 0)
	if strings.Contains(o.stdout, "✗") || strings.Contains(o.stderr, "error:") || o.value("checks", "fails") != 0 {
		t.Fatalf("something failed:\n%s%s", o.stdout, o.stderr)
	}
	return o
}

func (o *outcome) value(metric, figure string) float64 {
	v, ok := o.summary.Metrics[metric][figure].(float64)
	if !ok {
		return -1
	}
	return v
}

// want compares figures of the summary with what is known exactly.
func (o *outcome) want(t *testing.T, figures map[string]float64) {
	t.Helper()
	for name, want := range figures {
		metric, figure, _ := strings.Cut(name, " ")
		got := o.value(metric, figure)
		if diff := got - want; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s = %v, want %v\n%s", name, got, want, o.stderr)
		}
	}
}
