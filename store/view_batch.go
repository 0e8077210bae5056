package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// A batch of events is packed by post and day: a head, then its viewers.
const (
	viewHead   = 8 + 4 + 4 // post, day, number of viewers
	viewerSize = len(Viewer{})
)

// AddViews records a batch of events as one job; it sorts them. When it returns
// nil the events are on disk.
func (s *Store) AddViews(ctx context.Context, events []ViewEvent) error {
	packed := packViews(events)
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := s.enqueueRaw(ctx, t, KindViews, s.now(), packed)
		return err
	})
	if err != nil {
		return fmt.Errorf("add views: %w", err)
	}
	if s.watch.Batched != nil {
		s.watch.Batched(len(events))
	}
	return nil
}

// packViews writes the events in the order of the rows they lead to: it is
// cheaper here than in the transaction that counts them, and transactions that
// meet on several rows cannot deadlock. Every event is kept, repetitions too.
func packViews(events []ViewEvent) []byte {
	slices.SortFunc(events, compareViews)
	packed := make([]byte, 0, len(events)*viewerSize+8*viewHead)
	for group := range chunkViews(events) {
		packed = binary.BigEndian.AppendUint64(packed, uint64(group[0].PostID)) //nolint:gosec // two's complement and back
		packed = binary.BigEndian.AppendUint32(packed, uint32(group[0].Day))    //nolint:gosec // two's complement and back
		packed = binary.BigEndian.AppendUint32(packed, uint32(len(group)))      //nolint:gosec // a batch is small
		for _, e := range group {
			packed = append(packed, e.Viewer[:]...)
		}
	}
	return packed
}

func compareViews(a, b ViewEvent) int {
	if c := cmp.Or(cmp.Compare(a.PostID, b.PostID), cmp.Compare(a.Day, b.Day)); c != 0 {
		return c
	}
	return bytes.Compare(a.Viewer[:], b.Viewer[:])
}

// chunkViews yields the events of each post and day.
func chunkViews(sorted []ViewEvent) func(yield func([]ViewEvent) bool) {
	return func(yield func([]ViewEvent) bool) {
		for len(sorted) > 0 {
			first, n := sorted[0], 1
			for n < len(sorted) && sorted[n].PostID == first.PostID && sorted[n].Day == first.Day {
				n++
			}
			if !yield(sorted[:n]) {
				return
			}
			sorted = sorted[n:]
		}
	}
}

// postViews is the part of a packed batch that belongs to a post and day.
type postViews struct {
	postID  int64
	day     int32
	viewers []byte
}

var errShortViews = fmt.Errorf("%w: a batch of views ends too early", ErrPayload)

// cutViews takes the first part off a packed batch.
func cutViews(packed []byte) (first postViews, rest []byte, err error) {
	if len(packed) < viewHead {
		return postViews{}, nil, errShortViews
	}
	head, rest := packed[:viewHead], packed[viewHead:]
	size := uint64(binary.BigEndian.Uint32(head[12:])) * uint64(viewerSize)
	if size == 0 || size > uint64(len(rest)) {
		return postViews{}, nil, errShortViews
	}
	return postViews{
		postID:  int64(binary.BigEndian.Uint64(head)),     //nolint:gosec // two's complement and back
		day:     int32(binary.BigEndian.Uint32(head[8:])), //nolint:gosec // two's complement and back
		viewers: rest[:size],
	}, rest[size:], nil
}

// isForgotten reports whether viewers of a day in the batch may have been
// deleted, as long as no batch was open.
func (s *Store) isForgotten(packed []byte) bool {
	for len(packed) > 0 {
		part, rest, err := cutViews(packed)
		if err != nil {
			return false // it cannot be counted at all
		}
		if part.day < s.firstDay(s.now()) {
			return true
		}
		packed = rest
	}
	return false
}

// firstDay is the first day whose viewers are all kept.
func (s *Store) firstDay(now time.Time) int32 { return s.day(now) - viewerDays + 1 }

// applyViews counts a batch: the viewers that are new today, added up for each
// post and day, in the transaction that takes the job away. So each event
// counts exactly once, however often the job is tried.
func applyViews(ctx context.Context, s *Store, t *tx, j Job) error {
	if err := s.db.countViews(ctx, t, j.Payload); err != nil {
		return fmt.Errorf("apply views: %w", err)
	}
	_, err := t.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1`, j.ID)
	return err
}

// ViewSums are the counts of views in all the places that hold them. The first
// three are equal whenever no batch is open, until viewers are forgotten two
// days after their day.
type ViewSums struct {
	Posts   int64 // sum(posts.views)
	Days    int64 // sum(post_days.views)
	Viewers int64
	Open    int64 // batches that wait to be counted
}

// ViewSums adds up the views.
func (s *Store) ViewSums(ctx context.Context) (ViewSums, error) {
	var v ViewSums
	err := s.readers.QueryRowContext(ctx, `SELECT (SELECT CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM posts),
		(SELECT CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM post_days), (SELECT COUNT(*) FROM viewers),
		(SELECT COUNT(*) FROM jobs WHERE kind = 'views' AND state IN ('available', 'scheduled', 'running'))`).
		Scan(&v.Posts, &v.Days, &v.Viewers, &v.Open)
	if err != nil {
		return ViewSums{}, fmt.Errorf("add up views: %w", err)
	}
	return v, nil
}
