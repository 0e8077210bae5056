package main

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// startChromium starts a browser without windows for a test and its subtests.
// Visitors open tabs in it. Without Chromium the test is skipped, in CI it
// fails. Profile directory and, for root, no-sandbox are up to chromedp.
func startChromium(t *testing.T) context.Context {
	t.Helper()
	path := findChromium()
	if path == "" {
		lacks(t, "Chromium (chromium, chromium-browser or google-chrome) is not on the PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	// The end of the test must not cut the browser off before it is closed.
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(stop)
	chromium, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(chromium); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := chromedp.Cancel(chromium); err != nil {
			t.Errorf("close Chromium: %v", err)
		}
	})
	return chromium
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// lacks ends a test that needs what this machine does not have.
func lacks(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}
