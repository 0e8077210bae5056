package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// AccountRecord is one thing that is held about a member: its columns by name.
type AccountRecord map[string]any

// AccountPart is a kind of things that are held about a member. Names and
// columns are those of the file that a member downloads.
type AccountPart struct {
	Name  string
	query string // of the rows of member $1 beyond the number $2, in order, at most $3
}

// accountStep is how many rows are read at once: what a member wrote may be
// more than fits in memory, and no reading may last as long as a slow download.
const accountStep = 100

// AccountParts lists all that is held about a member, besides what the profile
// says. Of tokens, hashes and what others wrote there is nothing.
func AccountParts() []AccountPart {
	return []AccountPart{
		{"sessions", `SELECT id, device, created_at, seen_at, expires_at FROM sessions
			WHERE user_id = $1 AND dead = 0 AND id > $2 ORDER BY id LIMIT $3`},
		{"posts", `SELECT id, title, body, views, likes, created_at, edited_at, deleted_at FROM posts
			WHERE author_id = $1 AND id > $2 ORDER BY id LIMIT $3`},
		{"comments", `SELECT id, post_id, parent_id, body, created_at, edited_at, deleted_at FROM comments
			WHERE author_id = $1 AND id > $2 ORDER BY id LIMIT $3`},
		{"likes", `SELECT post_id AS id, created_at FROM likes
			WHERE user_id = $1 AND post_id > $2 ORDER BY post_id LIMIT $3`},
		{"drafts", `SELECT id, form, CASE WHEN subject > 0 THEN subject END AS of_id, title, body,
			CASE WHEN parent > 0 THEN parent END AS parent_id, saved_at FROM drafts
			WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`},
		{"opened_posts", `SELECT post_id AS id, comment_id AS newest_comment_id, day AS day_since_1970 FROM read_marks
			WHERE user_id = $1 AND post_id > $2 ORDER BY post_id LIMIT $3`},
		{"signups", `SELECT id, email, state, created_at FROM signups
			WHERE ` + ownSignups + ` AND id > $2 ORDER BY id LIMIT $3`},
		{"password_resets", `SELECT id, created_at, used_at FROM resets
			WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`},
		{"email_changes", `SELECT id, email, old_email, state, created_at, sent_at FROM email_changes
			WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`},
	}
}

// AccountData hands each record of a part to each, in the order of their
// numbers, and holds few of them at once.
func (s *Store) AccountData(ctx context.Context, userID int64, part AccountPart, each func(AccountRecord) error) error {
	for last := int64(0); ; {
		records, err := s.accountRecords(ctx, part.query, userID, last, accountStep)
		if err != nil {
			return fmt.Errorf("%s of user %d: %w", part.Name, userID, err)
		}
		for _, r := range records {
			if err := each(r); err != nil {
				return err
			}
			last, _ = r["id"].(int64)
		}
		if len(records) < accountStep {
			return nil
		}
	}
}

func (s *Store) accountRecords(ctx context.Context, query string, args ...any) (records []AccountRecord, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := accountRecord(rows)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, rows.Err()
}

// accountRecord reads a row; columns of time are named "…_at".
func accountRecord(rows *sql.Rows) (AccountRecord, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, places := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	if err := rows.Scan(places...); err != nil {
		return nil, err
	}
	r := AccountRecord{}
	for i, name := range names {
		r[name] = values[i]
		if ms, ok := values[i].(int64); ok && strings.HasSuffix(name, "_at") {
			r[name] = fromMillis(ms).Format(time.RFC3339)
		}
	}
	return r, nil
}
