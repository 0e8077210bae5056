package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePublishedScriptPassesOnTheBoard(t *testing.T) {
	t.Parallel()
	o := invoke(t, "--base-url", board(t, "off"), "--scale", "0.03", filepath.Join("testdata", "published.js")).passed(t)
	o.want(t, map[string]float64{"http_req_failed value": 0, "checks value": 1})
	if n := o.value("http_reqs", "count"); n < 10 || n != o.value("checks", "passes")/2 {
		t.Errorf("%v requests, %v checks", n, o.value("checks", "passes"))
	}
}

// board builds and starts the board on a fresh directory, with its limits on or
// off, and says where it is.
func board(t *testing.T, limits string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the board is built for it, which takes long")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "madang")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "madang/cmd/madang").CombinedOutput(); err != nil {
		t.Fatalf("build the board: %v\n%s", err, said)
	}
	serve := exec.CommandContext(t.Context(), program, "serve", "--addr", "localhost:0",
		"--data", filepath.Join(dir, "data"), "--rate-limits", limits, "--log-level", "error")
	serve.Cancel = func() error { return serve.Process.Signal(os.Interrupt) }
	said, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = io.Copy(io.Discard, said)
		_ = serve.Wait()
	})
	return address(t, said)
}

func address(t *testing.T, said io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "ready at "); ok {
			return url
		}
	}
	t.Fatal("the board did not say where it is")
	return ""
}
