// Package board runs a board on a fresh directory and looks at it from outside:
// its queue, its log, and what it leaves behind. It imports store.
package board

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"madang/store"
)

// Options says how to run a board. All are needed.
type Options struct {
	Program     string
	Data        string // a directory that holds nothing yet
	Log         string // file for the lines of its log
	SMTP        string
	MailWorkers int
}

// Board is a madang serve in a process of its own.
type Board struct {
	URL string

	cmd *exec.Cmd
	// terminate asks it to stop, once: a second signal would end it at once.
	terminate func() error
	db        *store.Store
	data      string
	ended     chan struct{}
	err       error // once ended
}

// stopWithin is how long a board may take to stop; it gives mails under way
// their time.
const stopWithin = time.Minute

// Start returns once the board is ready. It ends with ctx.
func Start(ctx context.Context, o Options) (*Board, error) {
	log, err := os.Create(o.Log)
	if err != nil {
		return nil, fmt.Errorf("start the board: %w", err)
	}
	defer log.Close() //nolint:errcheck // the child has its own
	b := &Board{data: o.Data, ended: make(chan struct{})}
	b.cmd = exec.CommandContext(ctx, o.Program, "serve", "--addr", "127.0.0.1:0", "--data", o.Data, //nolint:gosec // our own program
		"--smtp-url", o.SMTP, "--mail-workers", strconv.Itoa(o.MailWorkers), "--rate-limits", "off", "--log-format", "json")
	b.cmd.Env = environment(os.Environ())
	b.cmd.Stdout = log
	b.terminate = sync.OnceValue(func() error { return b.cmd.Process.Signal(syscall.SIGTERM) })
	b.cmd.Cancel = b.terminate
	b.cmd.WaitDelay = stopWithin
	said, w := io.Pipe()
	b.cmd.Stderr = w
	if err := b.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the board: %w", err)
	}
	go func() {
		b.err = b.cmd.Wait()
		_ = w.Close()
		close(b.ended)
	}()
	if err := b.ready(ctx, said); err != nil {
		return nil, err
	}
	return b, nil
}

// environment leaves out settings of a board of the person who measures.
func environment(all []string) []string {
	var left []string
	for _, pair := range all {
		if !strings.HasPrefix(pair, "MADANG_") {
			left = append(left, pair)
		}
	}
	return left
}

var readyLine = regexp.MustCompile(`^Madang is ready at (http://\S+)$`)

// ready waits until the board says where it is, or what keeps it from starting.
func (b *Board) ready(ctx context.Context, said io.Reader) error {
	lines, last := bufio.NewScanner(said), "it ended without a word"
	for b.URL == "" && lines.Scan() {
		last = lines.Text()
		if found := readyLine.FindStringSubmatch(last); found != nil {
			b.URL = found[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	if b.URL == "" {
		<-b.ended
		return fmt.Errorf("start the board: %w", errors.Join(ctx.Err(), errors.New(last)))
	}
	if err := b.open(ctx); err != nil {
		return errors.Join(err, b.Stop())
	}
	return nil
}

// open opens the database beside the board, as its other commands do.
func (b *Board) open(ctx context.Context) error {
	path := filepath.Join(b.data, store.FileName)
	key, err := store.LoadKey(ctx, b.data, path, "")
	if err != nil {
		return fmt.Errorf("look into the board: %w", err)
	}
	if b.db, err = store.Open(ctx, store.Options{Database: path, Key: key}); err != nil {
		return fmt.Errorf("look into the board: %w", err)
	}
	return nil
}

// PID is the number of the board's process.
func (b *Board) PID() int { return b.cmd.Process.Pid }

// Ended is closed when the board has ended, whether it was asked to or not.
func (b *Board) Ended() <-chan struct{} { return b.ended }

// Stop asks the board to stop and waits for its end.
func (b *Board) Stop() error {
	_ = b.terminate() // an ended one needs none
	select {
	case <-b.ended:
	case <-time.After(stopWithin):
		_ = b.cmd.Process.Kill()
		<-b.ended
		return fmt.Errorf("the board had not stopped after %v", stopWithin)
	}
	if b.err != nil {
		return fmt.Errorf("the board ended: %w", b.err)
	}
	return nil
}

// Close lets go of the database, once the board has stopped.
func (b *Board) Close() error {
	if b.db == nil {
		return nil
	}
	return b.db.Close()
}
