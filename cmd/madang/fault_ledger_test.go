package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// deed is something that people do and the board acknowledges.
type deed string

const (
	signedUp  deed = "sign-up"
	verified  deed = "verification"
	posted    deed = "post"
	commented deed = "comment"
	liked     deed = "like"
	unliked   deed = "unlike"
	viewed    deed = "view"
	loggedIn  deed = "login"
)

// entry is one deed, from before it is asked for.
type entry struct {
	Deed   deed
	Who    int    // number of the person
	Member int64  // who is logged in, 0 for nobody
	Post   int64  // liked, viewed or commented
	Key    string // what is looked for in the database: address, form, User-Agent
	Text   string // title or body
	At     time.Time
	Made   int64 // the post or comment that came of it
	Sure   bool  // acknowledged; otherwise it may have happened or not
}

// ledger is what people know of what they did. An acknowledgement is on disk
// before whoever got it goes on.
type ledger struct {
	t    *testing.T
	file *os.File

	mu      sync.Mutex
	entries []*entry
	certain int // how many are acknowledged
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	file, err := os.Create(filepath.Join(t.ArtifactDir(), "ledger.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return &ledger{t: t, file: file}
}

// try notes that something is about to be asked for.
func (l *ledger) try(e entry) *entry {
	e.At = time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, &e)
	return &e
}

// made notes what came of it. Somebody may read the ledger meanwhile.
func (l *ledger) made(e *entry, id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Made = id
}

// sure notes that it was acknowledged.
func (l *ledger) sure(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Sure = true
	l.certain++
	line, err := json.Marshal(e)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.t.Errorf("write the ledger: %v", err)
	}
}

// acknowledged is how many deeds were acknowledged so far.
func (l *ledger) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.certain
}

// all returns what was written so far.
func (l *ledger) all() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := make([]entry, len(l.entries))
	for i, e := range l.entries {
		entries[i] = *e
	}
	return entries
}

// count says how many of each deed were acknowledged, and how many of all are
// unknown.
func (l *ledger) count() (sure map[deed]int, unknown int) {
	sure = map[deed]int{}
	for _, e := range l.all() {
		if e.Sure {
			sure[e.Deed]++
		} else {
			unknown++
		}
	}
	return sure, unknown
}
