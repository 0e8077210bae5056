package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// stopWithin is more than the longest budgets of a stop together.
const stopWithin = 15 * time.Second

// site is a data directory with the processes that serve it, one after the
// other, and its mail server.
type site struct {
	t    *testing.T
	data string
	// database is the URL of the database when it is not a file in data.
	database string
	args     []string
	env      []string // beside what every process gets
	log      *os.File
	sink     *sink
	// retold counts by Message-ID the hand-overs whose outcome the board cannot
	// know: only such a mail may go out twice.
	retold map[string]int

	mu  sync.Mutex
	now *process      // nil while none is ready
	new chan struct{} // closed and renewed when one is
}

// newSite prepares a board that is not running yet.
func newSite(t *testing.T, args ...string) *site {
	t.Helper()
	faultTest(t)
	log, err := os.CreateTemp(t.ArtifactDir(), "madang-*.log") // one of several, perhaps
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, data: newData(t), log: log, sink: newSink(t), retold: map[string]int{}, new: make(chan struct{})}
	s.args = append([]string{"--smtp-url", s.sink.url}, args...)
	s.database = databaseOf(s.data)
	t.Cleanup(s.close)
	return s
}

// close ends what is running; the end of the log of a failed test is shown.
func (s *site) close() {
	if p := s.running(); p != nil {
		p.kill()
	}
	_ = s.log.Close()
	if !s.t.Failed() {
		return
	}
	text, _ := os.ReadFile(s.log.Name())
	const enough = 20_000
	s.t.Logf("end of the log of the board:\n%s", text[max(0, len(text)-enough):])
}

func (s *site) path() string {
	if s.database != "" {
		return s.database
	}
	return filepath.Join(s.data, store.FileName)
}

// start runs the board and returns when it is ready.
func (s *site) start() *process {
	s.t.Helper()
	p, said := launch(s.t, s.log, s.data, s.env, s.args...)
	if !p.ready(said) {
		<-p.ended
		s.t.Fatalf("the board did not become ready: %v", p.err)
	}
	if limit := 2 * time.Second * slower; p.took > limit {
		s.t.Errorf("it was ready after %v, want %v at most", p.took, limit)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = p
	close(s.new)
	s.new = make(chan struct{})
	go func() {
		<-p.ended
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.now == p {
			s.now = nil
		}
	}()
	return p
}

func (s *site) running() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// address returns where the board is, once it is somewhere; empty when ctx ends.
func (s *site) address(ctx context.Context) string {
	for ctx.Err() == nil {
		s.mu.Lock()
		p, started := s.now, s.new
		s.mu.Unlock()
		if p != nil {
			return p.url
		}
		select {
		case <-started:
		case <-ctx.Done():
		}
	}
	return ""
}

// kill ends the board at once and looks at what it left behind.
func (s *site) kill() {
	s.t.Helper()
	p := s.running()
	if p == nil {
		s.t.Fatal("nothing is running that could be killed")
	}
	p.kill()
	s.look()
}

// look checks what lies in the database. Of a file it takes a copy, so that the
// next start finds the log of the database as it is. A mail that was on its way
// when the process ended may go out again.
func (s *site) look() {
	s.t.Helper()
	copied := s.database
	if copied == "" {
		copied = s.copy()
	}
	for _, row := range storetest.Rows(s.t, copied, `SELECT `+wordsOf(copied).messageID+` FROM jobs
		WHERE state = 'running' AND kind IN ('verify_mail', 'account_mail')`) {
		s.retold[row[0]]++
	}
	checkFile(s.t, copied, s.data)
}

// copy copies the database with its log and returns the path of the copy.
func (s *site) copy() string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), store.FileName)
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(s.path() + end)
		if err != nil && !os.IsNotExist(err) || end == "" && err != nil {
			s.t.Fatal(err)
		}
		if err != nil {
			continue
		}
		if err := os.WriteFile(path+end, text, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	return path
}

// stop ends the board in order.
func (s *site) stop() {
	s.t.Helper()
	p := s.running()
	if p == nil {
		s.t.Fatal("nothing is running that could be stopped")
	}
	if err := p.terminate(stopWithin * slower); err != nil {
		s.t.Errorf("the board ended with: %v", err)
	}
}

// settle waits until every job has come to its end. On a server what a killed
// process held is nobody's until its lease ends.
func (s *site) settle(within time.Duration) {
	s.t.Helper()
	if s.database != "" {
		within += leaseOfAJob + 10*time.Second
	}
	defer s.showOpen()
	s.wait(within, "jobs are still open", func() bool { return s.open() == "0" })
}

// showOpen tells which jobs are open in a test that has failed.
func (s *site) showOpen() {
	if !s.t.Failed() {
		return
	}
	for _, job := range storetest.Rows(s.t, s.path(), `SELECT id, kind, state, attempt, run_at, lease_until, last_error FROM jobs
		WHERE state NOT IN ('done', 'dead') LIMIT 20`) {
		s.t.Logf("open: %v", job)
	}
}

// open is how many jobs have not come to their end.
func (s *site) open() string {
	return storetest.Rows(s.t, s.path(), `SELECT COUNT(*) FROM jobs WHERE state NOT IN ('done', 'dead')`)[0][0]
}

// wait waits until something is so.
func (s *site) wait(within time.Duration, otherwise string, so func() bool) {
	s.t.Helper()
	// The pause counts from the answer: a slow question must not follow on its
	// own heels, or a process that it stopped would never get to run.
	for deadline := time.Now().Add(within); !so(); <-time.After(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("after %v %s", within, otherwise)
		}
	}
}

// logged returns the lines of the log that hold some words.
func (s *site) logged(words string) []string {
	s.t.Helper()
	text, err := os.ReadFile(s.log.Name())
	if err != nil {
		s.t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, words) {
			lines = append(lines, line)
		}
	}
	return lines
}
