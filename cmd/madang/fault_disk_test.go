package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// TestFaultPowerLoss takes away what a disk had not written yet: the log of the
// database ends anywhere, or in zeros. Each copy must open, agree with itself,
// and hold what each person did up to some moment and nothing after it. With
// the log whole, nothing that was acknowledged is missing.
func TestFaultPowerLoss(t *testing.T) {
	storetest.SQLiteOnly(t)
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 20, 500)
	l := newLoad(t, s, usualCrowd())
	s.start()
	l.run(t, dice, usualCrowd())
	<-time.After(1500 * time.Millisecond)
	s.kill()
	l.end()
	entries := l.ledger.all()
	wal, begin := fileSize(t, s.path()+"-wal"), checkpointed(t, s.path())
	if wal <= begin {
		t.Logf("all %d bytes of the log had just been carried over: nothing can get lost", wal)
		return
	}
	if kept, sure := keptAfter(t, s, entries, func(string) {}); kept != sure {
		t.Errorf("%d of %d acknowledged deeds are there before any loss", kept, sure)
	}
	var least, most int
	for i := range n {
		at := begin + dice.Int64N(wal-begin)
		kept, sure := keptAfter(t, s, entries, loseTail(t, dice, at))
		if i == 0 {
			least, most = kept, kept
		}
		least, most = min(least, kept), max(most, kept)
		if kept > sure {
			t.Fatalf("%d kept of %d", kept, sure)
		}
	}
	t.Logf("log of %d bytes cut %d times behind %d: %d to %d deeds kept of all acknowledged", wal, n, begin, least, most)
}

// checkpointed is where in the log that part ends which has been carried over
// into the database. SQLite makes sure that it is on disk before it does that,
// so no loss of power takes it away. The index of the log says it in its 25th word.
func checkpointed(t *testing.T, path string) int64 {
	t.Helper()
	index, err := os.ReadFile(path + "-shm")
	if err != nil {
		t.Fatal(err)
	}
	const header, frame, place = 32, 24 + 4096, 96
	return header + frame*int64(binary.NativeEndian.Uint32(index[place:]))
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// loseTail cuts the log off at a place, or fills the rest with zeros.
func loseTail(t *testing.T, dice *rand.Rand, at int64) func(wal string) {
	zeros := dice.IntN(2) == 0
	return func(wal string) {
		size := fileSize(t, wal)
		if err := os.Truncate(wal, at); err != nil {
			t.Fatal(err)
		}
		if !zeros {
			return
		}
		if err := os.Truncate(wal, size); err != nil { // grows by zeros
			t.Fatal(err)
		}
	}
}

// keptAfter damages a copy of what a board left and counts which acknowledged
// deeds it still holds.
func keptAfter(t *testing.T, s *site, entries []entry, damage func(wal string)) (kept, sure int) {
	t.Helper()
	path := s.copy()
	damage(path + "-wal")
	countOpenViews(t, path, s.data)
	checkFile(t, path, s.data)
	have, readers := readRows(t, path), newReaders(t, path, s.data)
	defer readers.close()
	lost, seen := map[int]entry{}, map[string]bool{}
	for _, e := range entries {
		if !e.Sure || e.Deed == liked || e.Deed == unliked || e.Deed == loggedIn {
			continue
		}
		if e.Deed == viewed && !first(seen, readers.key(e)) {
			continue // counted before, perhaps by an event that was not lost
		}
		sure++
		if !have.holds(e, readers) {
			lost[e.Who] = e
			continue
		}
		kept++
		if before, ok := lost[e.Who]; ok {
			t.Errorf("person %d lost a deed and kept a later one:\n%+v\n%+v", e.Who, before, e)
		}
	}
	return kept, sure
}

func first(seen map[string]bool, key string) bool {
	before := seen[key]
	seen[key] = true
	return !before
}

// countOpenViews does to a copy what the next start would do: it counts what
// waits to be counted.
func countOpenViews(t *testing.T, path, data string) {
	t.Helper()
	db := openStore(t, path, data)
	defer db.Close()
	if _, err := db.AdoptJobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		batches, err := db.ClaimJobs(t.Context(), []string{store.KindViews}, 1000, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if len(batches) == 0 {
			return
		}
		for _, batch := range batches {
			if err := db.FinishJob(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestFaultDatabaseHeldByAnotherProcess: writes wait for a while, then they are
// refused with the time to come again; pages are shown all along.
func TestFaultDatabaseHeldByAnotherProcess(t *testing.T) {
	storetest.SQLiteOnly(t)
	t.Parallel() // it waits most of the time
	s := newSite(t)
	l := newLoad(t, s, crowd{writers: 2})
	s.start()
	writer := &user{load: l, member: l.members[0], dice: newDice(t)}
	writer.client = writer.newClient()
	writer.logIn(t.Context())
	reader := &user{load: l, n: 1, dice: writer.dice}
	reader.client = reader.newClient()

	release := storetest.Hold(t, s.path())
	freed := time.AfterFunc(time.Second, release)
	begin := time.Now()
	writer.writePost(t.Context())
	if took := time.Since(begin); took < 500*time.Millisecond {
		t.Errorf("the write took %v: it did not wait", took)
	}
	if _, unknown := l.ledger.count(); unknown != 0 {
		t.Error("a write that waited for a second was not acknowledged")
	}
	freed.Stop()

	release = storetest.Hold(t, s.path())
	refusedWhileHeld(t, l, writer, reader)
	release()
	for _, again := range []func(){
		func() { writer.writePost(t.Context()) },
		func() { reader.view(t.Context(), l.posts[0].id) },
		func() { (&user{load: l, n: 2, client: reader.newClient()}).signUp(t.Context(), "afterwards") },
	} {
		_, before := l.ledger.count()
		again()
		if _, unknown := l.ledger.count(); unknown != before {
			t.Error("a write after the release was not acknowledged")
		}
	}
	s.settle(10 * time.Second * slower)
	s.stop()
	l.answered(t, http.StatusOK, http.StatusSeeOther, http.StatusServiceUnavailable)
	if lines := len(s.logged("level=ERROR")); lines > 60 {
		t.Errorf("%d lines of errors", lines)
	}
	checkAll(t, s, l)
}

// refusedWhileHeld asks for everything at once while nothing can be written.
func refusedWhileHeld(t *testing.T, l *load, writer, reader *user) {
	t.Helper()
	var asked sync.WaitGroup
	asked.Go(func() {
		a, ok := writer.post(t.Context(), "/posts", "title", "refused", "body", "refused", "form_id", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		wantBusy(t, "a post", a, ok)
	})
	asked.Go(func() {
		u := &user{load: l, n: 3, client: reader.newClient()}
		a, ok := u.post(t.Context(), "/auth/signup", "email", "refused@example.com", "name", "N", "nickname", "refused", "password", password)
		wantBusy(t, "a sign-up", a, ok)
	})
	asked.Go(func() {
		u := &user{load: l, n: 4, client: reader.newClient()}
		a, ok := u.get(t.Context(), "/readyz")
		if !ok || a.status != http.StatusServiceUnavailable {
			t.Errorf("readyz answers %d", a.status)
		}
	})
	for i := range 5 {
		asked.Go(func() {
			u := &user{load: l, n: 10 + i, client: newClient(l.site, fmt.Sprint("reader ", i))}
			begin := time.Now()
			a, ok := u.view(t.Context(), l.posts[0].id)
			if took := time.Since(begin); !ok || a.status != http.StatusOK || !strings.Contains(a.body, uncounted) || took > 4*time.Second {
				t.Errorf("a post answers %d after %v, marked as not counted: %v", a.status, took, strings.Contains(a.body, uncounted))
			}
			if a, ok := u.get(t.Context(), "/"); !ok || a.status != http.StatusOK {
				t.Errorf("the list answers %d", a.status)
			}
		})
	}
	asked.Wait()
}

func wantBusy(t *testing.T, what string, a reply, ok bool) {
	t.Helper()
	if !ok || a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("%s is answered with %d, to come again in %q s", what, a.status, a.header.Get("Retry-After"))
	}
}
