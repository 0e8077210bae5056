package store

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ViewEvent is one reading of a post: a view is one (post, viewer, day).
type ViewEvent struct {
	Day    int32 // days since 1970-01-01 in the site's time zone
	PostID int64
	Viewer [16]byte // keyed hash, see Store.ViewEvent
}

// viewKeys remembers the key of one day.
type viewKeys struct {
	mu  sync.Mutex
	day int32
	key []byte
}

// day is the number of the local date, counted from 1970-01-01.
func (s *Store) day(at time.Time) int32 {
	y, m, d := at.In(s.zone).Date()
	return int32(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400) //nolint:gosec // in range for millions of years
}

// ViewEvent names the reader of a post for today: a keyed hash of the member,
// or of a guest's client address (IPv6 by /64) and User-Agent. The key is
// random and lives no longer than the day's events.
func (s *Store) ViewEvent(ctx context.Context, postID, userID int64, client netip.Addr, agent string) (ViewEvent, error) {
	day := s.day(s.now())
	key, err := s.viewKey(ctx, day)
	if err != nil {
		return ViewEvent{}, fmt.Errorf("view event: %w", err)
	}
	h := hmac.New(sha256.New, key)
	if userID != 0 {
		h.Write([]byte("member\x00" + strconv.FormatInt(userID, 10)))
	} else {
		h.Write([]byte("guest\x00" + network(client) + "\x00" + agent))
	}
	return ViewEvent{Day: day, PostID: postID, Viewer: [16]byte(h.Sum(nil))}, nil
}

func (s *Store) viewKey(ctx context.Context, day int32) ([]byte, error) {
	s.viewKeys.mu.Lock()
	defer s.viewKeys.mu.Unlock()
	if s.viewKeys.day == day && s.viewKeys.key != nil {
		return s.viewKeys.key, nil
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	var shared []byte
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO view_keys (day, key) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, day, key)
		if err != nil {
			return err
		}
		return t.QueryRowContext(ctx, `SELECT key FROM view_keys WHERE day = $1`, day).Scan(&shared)
	})
	if err != nil {
		return nil, fmt.Errorf("key of the day: %w", err)
	}
	s.viewKeys.day, s.viewKeys.key = day, shared
	return shared, nil
}

// eventSize is the length of a packed event: day, post, viewer.
const eventSize = 4 + 8 + 16

// AddViews records a batch of events as one job. When it returns nil the
// events are on disk.
func (s *Store) AddViews(ctx context.Context, events []ViewEvent) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := s.enqueueRaw(ctx, t, KindViews, s.now(), packViews(events))
		return err
	})
	if err != nil {
		return fmt.Errorf("add views: %w", err)
	}
	return nil
}

func packViews(events []ViewEvent) []byte {
	packed := make([]byte, 0, len(events)*eventSize)
	for _, e := range events {
		packed = binary.BigEndian.AppendUint32(packed, uint32(e.Day))    //nolint:gosec // two's complement and back
		packed = binary.BigEndian.AppendUint64(packed, uint64(e.PostID)) //nolint:gosec // two's complement and back
		packed = append(packed, e.Viewer[:]...)
	}
	return packed
}

func unpackViews(packed []byte) ([]ViewEvent, error) {
	if len(packed)%eventSize != 0 {
		return nil, fmt.Errorf("%w: %d bytes of views", ErrPayload, len(packed))
	}
	events := make([]ViewEvent, 0, len(packed)/eventSize)
	for one := range slices.Chunk(packed, eventSize) {
		events = append(events, ViewEvent{
			Day:    int32(binary.BigEndian.Uint32(one)),     //nolint:gosec // two's complement and back
			PostID: int64(binary.BigEndian.Uint64(one[4:])), //nolint:gosec // two's complement and back
			Viewer: [16]byte(one[12:]),
		})
	}
	return events, nil
}

// applyViews counts a batch: the viewers that are new today, added up for each
// post and day, in the transaction that takes the job away. So each event
// counts exactly once, however often the job is tried.
func applyViews(ctx context.Context, _ *Store, t *tx, j Job) error {
	events, err := unpackViews(j.Payload)
	if err != nil {
		return err
	}
	if err := countViews(ctx, t, events); err != nil {
		return fmt.Errorf("apply views: %w", err)
	}
	_, err = t.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1`, j.ID)
	return err
}

func countViews(ctx context.Context, t *tx, events []ViewEvent) error {
	// Sorted, so that transactions that meet on several rows cannot deadlock.
	slices.SortFunc(events, compareViews)
	events = slices.Compact(events)
	for chunk := range slices.Chunk(events, viewChunk) {
		counts, err := insertViewers(ctx, t, chunk)
		if err != nil {
			return err
		}
		for _, c := range counts {
			if err := addViews(ctx, t, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func compareViews(a, b ViewEvent) int {
	return cmp.Or(cmp.Compare(a.PostID, b.PostID), cmp.Compare(a.Day, b.Day),
		slices.Compare(a.Viewer[:], b.Viewer[:]))
}

// viewChunk bounds the parameters of one statement.
const viewChunk = 500

// postDay is how many new viewers a post had on a day.
type postDay struct {
	postID int64
	day    int32
	views  int64
}

// insertViewers returns how many of the events were the first of their viewer
// that day.
func insertViewers(ctx context.Context, t *tx, events []ViewEvent) (counts []postDay, err error) {
	args := make([]any, 0, 3*len(events))
	for _, e := range events {
		args = append(args, e.Day, e.PostID, e.Viewer[:])
	}
	rows, err := t.QueryContext(ctx,
		`INSERT INTO viewers (day, post_id, viewer) VALUES `+placeholders(len(events), 3)+
			` ON CONFLICT DO NOTHING RETURNING post_id, day`, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one postDay
		if err := rows.Scan(&one.postID, &one.day); err != nil {
			return nil, err
		}
		if n := len(counts); n > 0 && counts[n-1].postID == one.postID && counts[n-1].day == one.day {
			counts[n-1].views++
			continue
		}
		one.views = 1
		counts = append(counts, one)
	}
	return counts, rows.Err()
}

// addViews touches the counters only: an author's edit is never overwritten.
// Events of a post that no longer exists count nowhere.
func addViews(ctx context.Context, t *tx, c postDay) error {
	n, err := rowsChanged(t.ExecContext(ctx, `UPDATE posts SET views = views + $1 WHERE id = $2`, c.views, c.postID))
	if err != nil {
		return err
	}
	if n == 0 {
		_, err = t.ExecContext(ctx, `DELETE FROM viewers WHERE day = $1 AND post_id = $2`, c.day, c.postID)
		return err
	}
	_, err = t.ExecContext(ctx,
		`INSERT INTO post_days (post_id, day, views) VALUES ($1, $2, $3)
		 ON CONFLICT (post_id, day) DO UPDATE SET views = post_days.views + excluded.views`, c.postID, c.day, c.views)
	return err
}

// placeholders is "($1,$2),($3,$4)" for 2 rows of 2.
func placeholders(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%columns == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(i + 1))
	}
	b.WriteByte(')')
	return b.String()
}
