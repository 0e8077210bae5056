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

func TestTheScriptsPassOnTheBoard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the board is built for it, which takes long")
	}
	site := board(t)
	t.Run("published", func(t *testing.T) {
		t.Parallel()
		o := invoke(t, "--base-url", site, "--scale", "0.03", filepath.Join("testdata", "published.js")).passed(t)
		o.want(t, map[string]float64{"http_req_failed value": 0, "checks value": 1})
		if n := o.value("http_reqs", "count"); n < 10 || n != o.value("checks", "passes")/2 {
			t.Errorf("%v requests, %v checks", n, o.value("checks", "passes"))
		}
	})
	for _, name := range []string{"functional", "journey", "views"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := invoke(t, "--base-url", site, "--scale", "0.03", filepath.Join("..", "..", "k6", name+".js"))
			if o.status != 0 && !strings.Contains(o.stderr, "broken: http_req_duration") {
				// A machine that runs other tests beside may be slow, never wrong.
				t.Fatalf("status %d\n%s%s", o.status, o.stdout, o.stderr)
			}
			o.want(t, map[string]float64{"http_req_failed value": 0, "checks value": 1})
			if o.value("iterations", "count") < 3 {
				t.Errorf("%v iterations", o.value("iterations", "count"))
			}
		})
	}
}

// board builds and starts the board on a fresh directory and says where it is.
func board(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "madang")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "madang/cmd/madang").CombinedOutput(); err != nil {
		t.Fatalf("build the board: %v\n%s", err, said)
	}
	serve := exec.CommandContext(t.Context(), program, "serve", "--addr", "localhost:0",
		"--data", filepath.Join(dir, "data"), "--rate-limits", "off", "--log-level", "error")
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
