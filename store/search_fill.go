package store

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// fillBatch is how many texts one transaction takes into the index at most, so
// that nobody waits long behind it.
const fillBatch = 50

// FillSearch takes every text into the index that is not there: those from
// before there was one, and after a copy all. It begins with the newest, goes on
// where it was ended, and returns how many it took in.
func (s *Store) FillSearch(ctx context.Context) (texts int64, err error) {
	for _, in := range []searched{searchedPosts, searchedComments} {
		n, err := s.fillWords(ctx, in)
		texts += n
		if err != nil {
			return texts, fmt.Errorf("fill the index of %s: %w", in.texts(), err)
		}
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM settings WHERE name = 'search'`)
		return err
	})
	if err != nil {
		return texts, fmt.Errorf("fill the index: %w", err)
	}
	return texts, nil
}

// SearchFilling reports whether texts wait to be taken into the index for the
// first time.
func (s *Store) SearchFilling(ctx context.Context) (bool, error) {
	filling, err := s.searchFilling(ctx)
	if err != nil {
		return false, fmt.Errorf("ask for the state of the index: %w", err)
	}
	return filling, nil
}

func (s *Store) searchFilling(ctx context.Context) (filling bool, err error) {
	ctx, done := s.db.brief(ctx)
	defer done()
	err = s.readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM settings WHERE name = 'search')`).Scan(&filling)
	return filling, err
}

// fillWords goes down from the highest number.
func (s *Store) fillWords(ctx context.Context, in searched) (texts int64, err error) {
	for below := int64(math.MaxInt64); ; {
		step, err := s.nextToFill(ctx, in, below)
		if err != nil || step.lowest == 0 {
			return texts, err
		}
		below = step.lowest
		if len(step.missing) == 0 {
			continue
		}
		err = s.write(ctx, func(ctx context.Context, t *tx) error {
			for _, id := range step.missing {
				if err := s.addMissing(ctx, t, in, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return texts, err
		}
		texts += int64(len(step.missing))
	}
}

// fillStep is some texts, of which search cannot find some.
type fillStep struct {
	lowest  int64 // 0 when there are no more
	missing []int64
}

// nextToFill looks at the next texts below a number. It asks for each whether it
// is in the index: where a database were asked for those that are not, it might
// read the whole index each time.
func (s *Store) nextToFill(ctx context.Context, in searched, below int64) (step fillStep, err error) {
	query := fmt.Sprintf( //nolint:gosec // constant names
		`SELECT x.id, NOT %s AND %s FROM (SELECT id FROM %s WHERE deleted_at IS NULL AND id < $1 ORDER BY id DESC LIMIT $2) AS x
		 ORDER BY x.id DESC`, s.db.indexedSQL(in.words(), `x.id`), in.reachableSQL(), in.texts())
	rows, err := s.readers.QueryContext(ctx, query, below, fillBatch) //nolint:sqlclosecheck // eachRow does
	if err != nil {
		return step, err
	}
	err = eachRow(rows, func() error {
		var missing bool
		if err := rows.Scan(&step.lowest, &missing); err != nil {
			return err
		}
		if missing {
			step.missing = append(step.missing, step.lowest)
		}
		return nil
	})
	return step, err
}

// missingSQL is true of a text x that is there and not in the index.
func (s *Store) missingSQL(in searched) string {
	return `x.deleted_at IS NULL AND NOT ` + s.db.indexedSQL(in.words(), `x.id`) + ` AND ` + in.reachableSQL()
}

// addMissing takes a text in as it is now, unless somebody else has done so.
func (s *Store) addMissing(ctx context.Context, t *tx, in searched, id int64) error {
	n, err := s.holdMissing(ctx, t, in, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case in == searchedComments:
		return s.index(ctx, t, id, s.commentEntry(n.Body))
	}
	return s.index(ctx, t, id, s.postEntry(n))
}

// holdMissing reads a text and keeps it as it is. It returns ErrNotFound when
// there is none to take in.
func (s *Store) holdMissing(ctx context.Context, t *tx, in searched, id int64) (n NewPost, err error) {
	title := `title`
	if in == searchedComments {
		title = `''`
		if err := s.holdPost(ctx, t, id); err != nil {
			return n, err
		}
	}
	err = t.QueryRowContext(ctx, `SELECT `+title+`, x.body FROM `+in.texts()+` AS x WHERE x.id = $1 AND `+
		s.missingSQL(in)+s.db.forShare(), id).Scan(&n.Title, &n.Body)
	return n, notFound(err)
}
