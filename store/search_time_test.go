package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"madang/store"
)

func TestASearchThatIsCutOffIsNoError(t *testing.T) {
	l := newLibrary(t)
	for i := range 30 {
		l.post(fmt.Sprint("긴 글 ", i), strings.Repeat("가 나 ", 10_000))
	}
	var busy *store.BusyError
	query := store.SearchQuery{Text: `"` + strings.Repeat("가 나 ", 30) + `다"`, Limit: 20}
	for _, within := range []time.Duration{1, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
		if _, err := l.SearchWithin(t.Context(), query, within); err != nil && !errors.As(err, &busy) {
			t.Errorf("within %s: %v", within, err)
		}
	}
	l.finds("29", 30)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Search(gone, query); !errors.Is(err, context.Canceled) {
		t.Errorf("who left is told %v", err)
	}
}

func TestWhatWasFoundBeforeASearchWasCutOffIsShown(t *testing.T) {
	l := newLibrary(t)
	if !l.OnPostgres() {
		t.Skip("about PostgreSQL: a lock keeps the search from its end")
	}
	post := l.post("제목", "본문")
	locked, over, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- l.Write(context.WithoutCancel(t.Context()), func(ctx context.Context, exec store.ExecFunc) error {
			if err := exec(ctx, `LOCK TABLE comment_words IN ACCESS EXCLUSIVE MODE`); err != nil {
				return err
			}
			close(locked)
			<-over
			return nil
		})
	}()
	<-locked
	found, err := l.SearchWithin(t.Context(), store.SearchQuery{Text: "제목", Limit: 20}, 300*time.Millisecond)
	close(over)
	if err != nil || !found.Unfinished || len(found.Hits) != 1 || found.Hits[0].Post.ID != post {
		t.Errorf("%+v, %v", found, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	l.finds("제목", post)
}
