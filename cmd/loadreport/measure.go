package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"madang/cmd/loadreport/internal/board"
	"madang/cmd/loadreport/internal/cpu"
	"madang/cmd/loadreport/internal/postbox"
	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/runner"
	"madang/cmd/loadreport/internal/scenario"
)

// errBoardEnded ends a script whose board has gone.
var errBoardEnded = errors.New("the board ended while the script ran; its log says why")

// measurement is one scenario under way.
type measurement struct {
	*command
	scenario scenario.Scenario
	runner   runner.Runner
	load     runner.Load
	progress io.Writer

	box   *postbox.Postbox
	board *board.Board
	out   result.Result
}

// measure starts mail server and board, and ends both whatever happens.
func (m *measurement) measure(ctx context.Context) (r result.Result, err error) {
	data, err := os.MkdirTemp(filepath.Dir(m.Madang), "load-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the board: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	if m.box, err = postbox.New(ctx, m.SMTPDelay); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, m.box.Close()) }()
	m.out = result.Result{
		Scenario: m.scenario, Began: time.Now(),
		Workers: m.scenario.Plan.Workers(m.Scale, m.SMTPDelay), Planned: m.scenario.Plan.PerSecond(m.Scale),
	}
	fmt.Fprintf(m.progress, "%s: %.2f mails a second × %v = %d mail workers\n",
		m.scenario.Plan.Why, m.out.Planned, m.SMTPDelay, m.out.Workers)
	if err := m.onBoard(ctx, filepath.Join(data, "data")); err != nil {
		return r, err
	}
	return m.out, nil
}

func (m *measurement) onBoard(ctx context.Context, data string) (err error) {
	m.board, err = board.Start(ctx, board.Options{
		Program: m.Madang, Data: data, Log: m.logFile(), SMTP: m.box.SMTP, MailWorkers: m.out.Workers,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.board.Close()) }()
	err = m.run(ctx)
	if stopped := m.board.Stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return err
	}
	return m.collect(ctx)
}

func (m *measurement) logFile() string { return filepath.Join(m.Results, m.load.Name+".board.log") }

// run runs the script and waits until the queue is empty. Should the board end,
// the script ends with it.
func (m *measurement) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-m.board.Ended():
			cancel(errBoardEnded)
		case <-ctx.Done():
		}
	}()
	q := &queue{board: m.board, progress: m.progress, began: time.Now(), loaded: make(chan struct{})}
	var stray error // why it could not be followed
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		stray = q.follow(ctx)
	}()
	err := m.script(ctx)
	close(q.loaded)
	if err != nil {
		cancel(err) // and so ends the following
	}
	<-followed
	if err != nil {
		return err
	}
	m.out.Queue, m.out.EmptiedIn, m.out.Left = q.depths, q.emptiedIn, q.left
	return stray
}

func (m *measurement) script(ctx context.Context) error {
	m.load.Environment = append(m.scenario.Environment(), "BASE_URL="+m.board.URL, "MAILBOX="+m.box.Mailbox)
	served, helped := cpu.Used(m.board.PID()), cpu.Used(os.Getpid())
	ran, err := m.runner.Run(ctx, m.load, m.progress)
	m.out.BoardCPU, m.out.HelperCPU = cpu.Used(m.board.PID())-served, cpu.Used(os.Getpid())-helped
	m.out.RunnerCPU, m.out.Took = ran.CPU, ran.Took
	return err
}

// collect reads what mail server, script and board have left behind.
func (m *measurement) collect(ctx context.Context) (err error) {
	m.out.Mails, m.out.Twice = m.box.Count()
	if m.out.Summary, err = result.ReadSummary(m.load.Summary()); err != nil {
		return err
	}
	if m.out.Samples, err = result.ReadSamples(m.load.Samples(), m.board.URL); err != nil {
		return err
	}
	if m.out.Log, err = board.ReadLog(m.logFile()); err != nil {
		return err
	}
	m.out.Books, err = m.board.Books(ctx)
	return err
}
