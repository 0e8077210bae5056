package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// Whoever asks gets what was written before they asked, however many ask.
func TestSharedReadIsNeverOlderThanItsReader(t *testing.T) {
	var reads sharedReads[Post]
	var written, made atomic.Int64
	read := func(context.Context, int64) (Post, error) {
		made.Add(1)
		return Post{Views: written.Load()}, nil
	}
	const readers, times = 64, 50
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for range times {
				own := written.Add(1)
				p, err := reads.read(t.Context(), 7, read)
				if err != nil || p.Views < own {
					t.Errorf("read %d, %v after writing %d", p.Views, err, own)
				}
			}
		})
	}
	all.Wait()
	if n := made.Load(); n >= readers*times {
		t.Errorf("%d reads for %d readers: none was shared", n, readers*times)
	}
}

func TestReadsOfPostsThatMeetOnASlotAreTheirOwn(t *testing.T) {
	var reads sharedReads[Post]
	read := func(_ context.Context, id int64) (Post, error) {
		if id < 0 {
			return Post{}, ErrNotFound
		}
		return Post{ID: id}, nil
	}
	var all sync.WaitGroup
	for i := range 32 {
		id := int64(i%4) * int64(len(reads.slots))
		all.Go(func() {
			for range 50 {
				if p, err := reads.read(t.Context(), id, read); err != nil || p.ID != id {
					t.Errorf("post %d, %v; want %d", p.ID, err, id)
				}
			}
		})
	}
	all.Wait()
	if _, err := reads.read(t.Context(), -1, read); err == nil {
		t.Error("no error for a post that is not there")
	}
}

func TestReadThatPanicsIsAnErrorForThoseWhoShareIt(t *testing.T) {
	var slot readSlot[Post]
	slot.join(1)
	own, _ := slot.join(1)
	shared, rest := slot.join(1)
	if own != shared || rest >= 0 {
		t.Fatalf("the second reader waits for %v", rest)
	}
	slot.begin()
	close(own.done) // as a panic does
	if <-shared.done; !errors.Is(shared.err, errReadLost) {
		t.Errorf("error %v", shared.err)
	}
}

// The reader who reads for all may leave; the others do not.
func TestSharedReadOutlivesTheReaderWhoMadeIt(t *testing.T) {
	var reads sharedReads[Post]
	read := func(ctx context.Context, id int64) (Post, error) { return Post{ID: id}, ctx.Err() }
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := reads.read(t.Context(), 1, read); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		ctx := t.Context()
		if i%2 == 0 {
			ctx = gone
		}
		all.Go(func() {
			if p, err := reads.read(ctx, 1, read); ctx == t.Context() && (err != nil || p.ID != 1) {
				t.Errorf("post %d, %v", p.ID, err)
			}
		})
	}
	all.Wait()
}
