package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// DraftForm is a kind of form in which members write.
type DraftForm string

// The forms of which drafts are kept.
const (
	DraftPost        DraftForm = "post"         // a new post
	DraftPostEdit    DraftForm = "post_edit"    // a post
	DraftComment     DraftForm = "comment"      // a comment under a post
	DraftCommentEdit DraftForm = "comment_edit" // a comment
)

// DraftPlace is the form that a draft stands in. Each member has one draft of
// each.
type DraftPlace struct {
	Form    DraftForm
	Subject int64 // the post or comment that the form is about, 0 for none
}

// Draft is a text that a member has begun to write.
type Draft struct {
	Place  DraftPlace
	Title  string // of posts
	Body   string
	Parent int64 // the comment answered, 0 for none
	// FormID is the one-time id of the form: when it has been sent, nothing
	// is left to be saved. It is not kept.
	FormID string
	// Base is when what is edited was changed last, as its editor knew it.
	Base    time.Time
	SavedAt time.Time
}

const (
	// draftLife is how long a draft waits for its author.
	draftLife = 30 * 24 * time.Hour
	// draftsMax is how many drafts a member has; beyond, the oldest goes.
	draftsMax = 50
)

// draftLimit leaves room for a script that saves four times a minute.
func draftLimit() limit {
	return limit{bucket: "draft", rates: []rate{{20, time.Minute}, {400, time.Hour}}}
}

// previewLimit bounds what a member has rendered that nobody else will read.
func previewLimit() limit {
	return limit{bucket: "preview", rates: []rate{{20, time.Minute}, {200, time.Hour}}}
}

// clean returns the draft as its text would be stored, and what is wrong with
// it: the same as with the text itself.
func (d Draft) clean() (Draft, map[string]Problem) {
	fields := map[string]Problem{}
	atMost := commentMax
	if d.Place.Form == DraftPost || d.Place.Form == DraftPostEdit {
		atMost = bodyMax
		d.Title, fields["title"] = cleanLine(d.Title, titleMax)
	} else {
		d.Title = ""
	}
	d.Body, fields["body"] = cleanText(d.Body, atMost)
	d.FormID, _ = cleanLine(d.FormID, formIDMax) // what is none has sent nothing
	return d, fields
}

// SaveDraft keeps a text that is not finished, in the place of the one before.
// An empty one leaves that as it is. So does one that says what has been
// published already: then there is no draft any more. It returns
// *InvalidError for what could not be published, but for what is missing,
// *TooSoonError, and ErrNotFound when what it is about is gone.
func (s *Store) SaveDraft(ctx context.Context, author User, d Draft) error {
	d, fields := d.clean()
	return s.saveDraft(ctx, author, d, fields, draftLimit())
}

// PreviewDraft takes one of the turns in which a member may look at a text before
// it is published, and keeps it as SaveDraft does. It returns *InvalidError for
// what could not be published.
func (s *Store) PreviewDraft(ctx context.Context, author User, d Draft) error {
	d, fields := d.clean()
	if err := s.saveDraft(ctx, author, d, fields, previewLimit()); err != nil {
		return err
	}
	return problems(fields)
}

func (s *Store) saveDraft(ctx context.Context, author User, d Draft, fields map[string]Problem, l limit) error {
	if err := problems(unfit(fields)); err != nil {
		return err
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, l, s.whoMember(author.ID)); err != nil {
			return err
		}
		if d.Title == "" && d.Body == "" {
			return nil
		}
		if err := s.holdDrafts(ctx, t, author.ID); err != nil {
			return err
		}
		published, err := isPublished(ctx, t, author.ID, d)
		if err != nil {
			return err
		}
		if published {
			return s.dropDraft(ctx, t, author.ID, d.Place)
		}
		return s.putDraft(ctx, t, author.ID, d)
	})
	if err != nil {
		return fmt.Errorf("save draft: %w", err)
	}
	return nil
}

// unfit is what is wrong with a text even when more will be written.
func unfit(fields map[string]Problem) map[string]Problem {
	left := map[string]Problem{}
	for field, p := range fields {
		if p != Missing {
			left[field] = p
		}
	}
	return left
}

// isPublished reports whether a text says what stands there already, or its
// form has been sent: what a slow line brings late is no draft. It returns
// ErrNotFound when what the text is about is gone.
func isPublished(ctx context.Context, t *tx, author int64, d Draft) (published bool, err error) {
	id := d.Place.Subject
	switch d.Place.Form {
	case DraftPost:
		err = t.QueryRowContext(ctx, `SELECT COUNT(*) > 0 FROM posts WHERE author_id = $1 AND form_id = $2`,
			author, d.FormID).Scan(&published)
	case DraftPostEdit:
		err = t.QueryRowContext(ctx, `SELECT title = $1 AND body = $2 FROM posts WHERE id = $3 AND deleted_at IS NULL`,
			d.Title, d.Body, id).Scan(&published)
	case DraftComment:
		err = t.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM comments WHERE author_id = $1 AND form_id = $2)
			FROM posts WHERE id = $3 AND deleted_at IS NULL`, author, d.FormID, id).Scan(&published)
	case DraftCommentEdit:
		err = t.QueryRowContext(ctx, `SELECT body = $1 FROM comments WHERE id = $2 AND deleted_at IS NULL`,
			d.Body, id).Scan(&published)
	default:
		return false, fmt.Errorf("draft of an unknown form %q", d.Place.Form)
	}
	return published, notFound(err)
}

// putDraft writes a draft; the oldest of too many goes.
func (s *Store) putDraft(ctx context.Context, t *tx, author int64, d Draft) error {
	base := int64(0)
	if !d.Base.IsZero() {
		base = millis(d.Base)
	}
	_, err := t.ExecContext(ctx,
		`INSERT INTO drafts (user_id, form, subject, title, body, parent, base_at, saved_at)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		 ON CONFLICT (user_id, form, subject) DO UPDATE SET title = excluded.title, body = excluded.body,
		 parent = excluded.parent, base_at = excluded.base_at, saved_at = excluded.saved_at`,
		author, d.Place.Form, d.Place.Subject, d.Title, d.Body, d.Parent, base, millis(s.now()))
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM drafts WHERE user_id = $1 AND saved_at <
		(SELECT saved_at FROM drafts WHERE user_id = $1 ORDER BY saved_at DESC LIMIT 1 OFFSET $2)`, author, draftsMax-1)
	return err
}

// DraftOf returns the draft that a member has in a form. It returns ErrNotFound
// when there is none or its time is over.
func (s *Store) DraftOf(ctx context.Context, userID int64, place DraftPlace) (Draft, error) {
	d := Draft{Place: place}
	var base, saved int64
	err := s.readers.QueryRowContext(ctx,
		`SELECT title, body, parent, base_at, saved_at FROM drafts
		 WHERE user_id = $1 AND form = $2 AND subject = $3 AND saved_at > $4`,
		userID, place.Form, place.Subject, millis(s.now().Add(-draftLife))).
		Scan(&d.Title, &d.Body, &d.Parent, &base, &saved)
	if errors.Is(err, sql.ErrNoRows) {
		return Draft{}, ErrNotFound // most members have none
	}
	if err != nil {
		return Draft{}, fmt.Errorf("read draft: %w", err)
	}
	if base != 0 {
		d.Base = fromMillis(base)
	}
	d.SavedAt = fromMillis(saved)
	return d, nil
}

// DropDraft forgets the draft that a member has in a form, if there is one.
func (s *Store) DropDraft(ctx context.Context, userID int64, place DraftPlace) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error { return s.dropDraft(ctx, t, userID, place) })
	if err != nil {
		return fmt.Errorf("drop draft: %w", err)
	}
	return nil
}

func (s *Store) dropDraft(ctx context.Context, t *tx, userID int64, place DraftPlace) error {
	if err := s.holdDrafts(ctx, t, userID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `DELETE FROM drafts WHERE user_id = $1 AND form = $2 AND subject = $3`,
		userID, place.Form, place.Subject)
	return err
}

// holdDrafts lets a text that is saved late find what was published meanwhile.
func (s *Store) holdDrafts(ctx context.Context, t *tx, userID int64) error {
	return s.db.hold(ctx, t, []byte("drafts"), s.whoMember(userID))
}
