package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatCannotBeMeasuredIsSaidInOneLine(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, []byte("#!/bin/sh\necho 'madang: no room' >&2\nexit 1\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	usual := []string{
		"--scripts", filepath.Join("..", "..", "k6"), "--madang", there, "--loadtest", there,
		"--results", filepath.Join(dir, "results"), "--readme", there, "--scale", "0.5",
	}
	for words, args := range map[string]string{
		"--scale must be above 0":                   "--scale=0",
		"--smtp-delay must be":                      "--smtp-delay=-1s",
		`there is no scenario "laod"`:               "--only=laod",
		"missing: no such file or directory":        "--madang=missing",
		"none/functional.js: no such file":          "--scripts=none",
		"<!-- make load --> must be there once":     "--scale=1",
		"functional: start the board: madang: no r": "--only=functional",
	} {
		var said strings.Builder
		status := run(t.Context(), append(usual, args), &strings.Builder{}, &said)
		complaints := 0
		for line := range strings.Lines(said.String()) {
			if strings.HasPrefix(line, "loadreport: ") {
				complaints++
			}
		}
		if status == 0 || complaints != 1 || !strings.Contains(said.String(), words) {
			t.Errorf("%s: status %d, %q is not in\n%s", args, status, words, said.String())
		}
	}
}
