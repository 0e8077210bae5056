package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// process is a madang serve in a process of its own.
type process struct {
	cmd   *exec.Cmd
	url   string
	took  time.Duration // from its start to being ready
	ended chan struct{}
	err   error // once ended
}

// launch starts serve on a data directory without waiting for anything; both
// of its streams go to the log. Lines for people also come out of the pipe.
func launch(t testing.TB, log io.Writer, data string, env []string, args ...string) (*process, io.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said, w := io.Pipe()
	p := &process{cmd: exec.CommandContext(context.WithoutCancel(t.Context()), self, withDatabase(faultArgs(data, args...))...), ended: make(chan struct{})}
	p.cmd.Env = append([]string{beProgram + "=1", "TMPDIR=" + t.TempDir()}, env...)
	p.cmd.Stdout, p.cmd.Stderr = log, io.MultiWriter(log, w)
	life, err := p.cmd.StdinPipe() // it ends with whoever holds the other end
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		_ = w.Close()
		_ = life.Close()
		close(p.ended)
	}()
	return p, said
}

func faultArgs(data string, more ...string) []string {
	return append([]string{
		"serve", "--addr", "127.0.0.1:0", "--data", data, "--rate-limits", "off", "--log-format", "text",
	}, more...)
}

// ready waits until the process says where it is; false when it ended before,
// or was ended because it took far too long.
func (p *process) ready(said io.Reader) bool {
	begin := time.Now()
	defer time.AfterFunc(time.Minute, p.kill).Stop()
	lines := bufio.NewScanner(said)
	for p.url == "" && lines.Scan() {
		if found := readyLine.FindStringSubmatch(lines.Text()); found != nil {
			p.url, p.took = found[1], time.Since(begin)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return p.url != ""
}

// signal sends a signal; to a process that has ended it is none.
func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// kill ends the process as a loss of power would, and waits for its end.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// terminate asks the process to stop and returns how it ended.
func (p *process) terminate(within time.Duration) error {
	p.signal(syscall.SIGTERM)
	return p.wait(within)
}

func (p *process) wait(within time.Duration) error {
	select {
	case <-p.ended:
		return p.err
	case <-time.After(within):
		p.kill()
		return fmt.Errorf("it had not ended after %v", within)
	}
}

// killed reports whether a process ended by a signal and not by itself.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}
