package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// ranked is a result before anything is read of it.
type ranked struct {
	place   SearchPlace
	comment int64
}

// ranking is all that a search found, in order.
type ranking struct {
	text       searchText // that was found
	all        []ranked
	known      map[int64]bool
	more       bool
	widened    bool
	unfinished bool
}

// rank looks for a text and, when there is none such, for longer words. What
// takes too long is left as it is by then.
func (s *Store) rank(ctx context.Context, text searchText, within time.Duration) (*ranking, error) {
	own, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	t, err := s.db.beginSearch(own, within)
	switch {
	case err != nil && ctx.Err() == nil && own.Err() != nil:
		return nil, &BusyError{Wait: within}
	case err != nil:
		return nil, err
	}
	defer rollback(t)
	r := &ranking{text: text, known: map[int64]bool{}}
	err = s.fill(own, t, r)
	if wider, ok := text.widened(); ok && err == nil && len(r.all) == 0 {
		r.text, r.widened = wider, true
		err = s.fill(own, t, r)
	}
	if err != nil && ctx.Err() == nil && s.db.gaveUp(own, err) {
		r.unfinished, err = true, nil
	}
	r.widened = r.widened && len(r.all) > 0
	slices.SortFunc(r.all, func(a, b ranked) int { return a.place.compare(b.place) })
	return r, err
}

// fill looks in one place after the other until there is enough.
func (s *Store) fill(ctx context.Context, t *sql.Tx, r *ranking) error {
	if err := s.findPosts(ctx, t, r, tierTitle, r.text, inTitle); err != nil {
		return err
	}
	if phrase, ok := r.text.together(); ok {
		if err := s.findPosts(ctx, t, r, tierTogether, phrase, ""); err != nil {
			return err
		}
	}
	if err := s.findPosts(ctx, t, r, tierPost, r.text, ""); err != nil {
		return err
	}
	return s.findComments(ctx, t, r)
}

func (s *Store) findPosts(ctx context.Context, t *sql.Tx, r *ranking, tier int, text searchText, sign string) error {
	if r.full() {
		return nil
	}
	// Those known already may be found once more.
	limit := searchMax + len(r.all) + 1
	rows, err := t.QueryContext(ctx, s.db.findSQL(searchedPosts.words()), s.db.findArgs(s.db.match(text, sign), limit)...)
	if err != nil {
		return err
	}
	return eachRow(rows, func() error {
		var post int64
		if err := rows.Scan(&post); err != nil {
			return err
		}
		r.add(ranked{place: SearchPlace{tier, post}})
		return nil
	})
}

// findComments adds the posts that have no such text themselves, each by its
// newest comment.
func (s *Store) findComments(ctx context.Context, t *sql.Tx, r *ranking) error {
	if r.full() {
		return nil
	}
	rows, err := t.QueryContext(ctx, s.db.findCommentsSQL(), s.db.findArgs(s.db.match(r.text, ""), commentsMax)...)
	if err != nil {
		return err
	}
	n := 0
	err = eachRow(rows, func() error {
		var comment, post int64
		if err := rows.Scan(&comment, &post); err != nil {
			return err
		}
		n++
		r.add(ranked{place: SearchPlace{tierComment, post}, comment: comment})
		return nil
	})
	r.more = r.more || n == commentsMax
	return err
}

func eachRow(rows *sql.Rows, do func() error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := do(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *ranking) full() bool { return r.more }

// add takes a post that is not known yet.
func (r *ranking) add(f ranked) {
	switch {
	case r.known[f.place.PostID]:
	case len(r.all) == searchMax:
		r.more = true
	default:
		r.known[f.place.PostID] = true
		r.all = append(r.all, f)
	}
}

// span is the part of the ranking that a page shows.
func (r *ranking) span(q SearchQuery) (from, to int) {
	limit := min(max(q.Limit, 1), listMax)
	at := func(p SearchPlace) (int, bool) {
		return slices.BinarySearchFunc(r.all, p, func(f ranked, p SearchPlace) int { return f.place.compare(p) })
	}
	switch {
	case q.Before.Tier > 0:
		i, there := at(q.Before)
		if there {
			i++
		}
		return i, min(i+limit, len(r.all))
	case q.After.Tier > 0:
		i, _ := at(q.After)
		return max(i-limit, 0), i
	}
	return 0, min(limit, len(r.all))
}

func (r *ranking) cut(q SearchQuery) []ranked {
	from, to := r.span(q)
	return r.all[from:to]
}

func (r *ranking) page(q SearchQuery) SearchResult {
	from, to := r.span(q)
	return SearchResult{
		Count: len(r.all), More: r.more, Newer: from > 0, Older: to < len(r.all),
		Widened: r.widened, Unfinished: r.unfinished,
	}
}
