// Package runner runs a script: with k6 where it is installed, else with
// cmd/loadtest. It imports nothing of ours.
package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Runner is the program that runs scripts.
type Runner struct {
	Name    string // with its version, for people
	program string
	k6      bool
	scale   float64
}

// Find prefers a k6 that is installed. Only the own runner, built at path, can
// scale the length of a load.
func Find(ctx context.Context, path string, scale float64) (Runner, error) {
	own := Runner{Name: "cmd/loadtest", program: path, scale: scale}
	k6, err := exec.LookPath("k6")
	switch {
	case err != nil && !errors.Is(err, exec.ErrNotFound):
		return Runner{}, fmt.Errorf("look for k6: %w", err)
	case err == nil && scale == 1:
		said, err := exec.CommandContext(ctx, k6, "version").Output() //nolint:gosec // what the person has installed
		if err != nil {
			return Runner{}, fmt.Errorf("ask %s for its version: %w", k6, err)
		}
		first, _, _ := strings.Cut(string(said), "\n")
		return Runner{Name: strings.TrimSpace(first), program: k6, k6: true, scale: 1}, nil
	}
	if _, err := os.Stat(path); err != nil {
		return Runner{}, fmt.Errorf("there is no k6, and the own runner is missing: %w", err)
	}
	if err == nil {
		own.Name += " (k6 cannot scale a load)"
	} else {
		own.Name += " (there is no k6 on the PATH)"
	}
	return own, nil
}

// Load is one run of a script.
type Load struct {
	Script      string
	Results     string   // directory for everything it leaves behind
	Name        string   // how those files begin
	Environment []string // beside that of this process
}

// Summary is the file of the figures as JSON.
func (l Load) Summary() string { return l.file(".summary.json") }

// Samples is the file of each request as CSV.
func (l Load) Samples() string { return l.file(".csv") }

func (l Load) file(ending string) string { return filepath.Join(l.Results, l.Name+ending) }

// Outcome is how a run went.
type Outcome struct {
	Status int // 99: a threshold is broken
	Took   time.Duration
	CPU    time.Duration
}

// StatusThresholds is the exit status of both when a threshold is broken.
const StatusThresholds = 99

// Run runs a script to its end and passes what it says of its progress on. A
// broken threshold is no error; a run that did not come to its end is one.
func (r Runner) Run(ctx context.Context, l Load, progress io.Writer) (Outcome, error) {
	text, err := os.Create(l.file(".txt"))
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", l.Script, err)
	}
	defer text.Close() //nolint:errcheck // the child has its own
	var last lastLine
	cmd := exec.CommandContext(ctx, r.program, r.arguments(l)...) //nolint:gosec // k6 or our own program
	cmd.Env = append(append(os.Environ(), "RESULTS="+l.Results, "NAME="+l.Name), l.Environment...)
	cmd.Stdout, cmd.Stderr = text, io.MultiWriter(progress, &last)
	if r.k6 {
		cmd.Stdout = io.MultiWriter(progress, text) // where k6 tells its progress
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	began := time.Now()
	err = cmd.Run()
	out := Outcome{Took: time.Since(began)}
	if state := cmd.ProcessState; state != nil {
		out.Status, out.CPU = state.ExitCode(), state.UserTime()+state.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case err != nil && out.Status != StatusThresholds:
		return out, fmt.Errorf("run %s: %w: %s", l.Script, err, last.text())
	}
	return out, nil
}

func (r Runner) arguments(l Load) []string {
	if r.k6 {
		return []string{"run", "--summary-export", l.Summary(), "--out", "csv=" + l.Samples(), l.Script}
	}
	return []string{
		"--summary", l.Summary(), "--out", "csv=" + l.Samples(),
		"--report", l.file(".seconds.html"), "--scale", strconv.FormatFloat(r.scale, 'g', -1, 64), l.Script,
	}
}

// lastLine keeps the end of what was said, which tells why a run ended.
type lastLine struct{ end []byte }

// Write implements io.Writer.
func (l *lastLine) Write(p []byte) (int, error) {
	const enough = 1000
	l.end = append(l.end, p...)
	l.end = l.end[max(len(l.end)-enough, 0):]
	return len(p), nil
}

func (l *lastLine) text() string {
	lines := bytes.Split(bytes.TrimSpace(l.end), []byte("\n"))
	return string(lines[len(lines)-1])
}
