package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// addressJobs fills in whom the mails are for. A payload holds no address, so
// that no job keeps one longer than it is needed; what is gone or cannot be read has none.
func (s *Store) addressJobs(ctx context.Context, jobs []JobRow, payloads [][]byte) error {
	places := make([]addressPlace, len(jobs))
	ids := map[string][]int64{}
	for i, j := range jobs {
		p, err := decodeMail(Job{ID: j.ID, Payload: payloads[i]})
		if err != nil {
			continue // no mail; or its own attempt says so
		}
		places[i] = p.address(j)
		ids[places[i].query] = append(ids[places[i].query], places[i].id)
	}
	addresses := map[string]map[generationOf]string{}
	for query, ids := range ids {
		found, err := s.addressesByID(ctx, query, ids)
		if err != nil {
			return err
		}
		addresses[query] = found
	}
	for i, place := range places {
		jobs[i].To = addresses[place.query][place.generationOf]
	}
	return nil
}

// addressPlace is the row where the address of a mail stands, and a statement
// that reads such rows by a list of ids.
type addressPlace struct {
	query string
	generationOf
}

// generationOf is one link of a sign-up; all else has the generation 0.
type generationOf struct{ id, generation int64 }

func (p mailPayload) address(j JobRow) addressPlace {
	if p.ofNotice(j.Kind) {
		return addressPlace{`SELECT job_id, 0, email_key FROM notices WHERE job_id IN `, generationOf{id: j.ID}}
	}
	switch j.Kind {
	case KindVerifyMail:
		return addressPlace{
			`SELECT signup_id, generation, email_key FROM signup_links WHERE signup_id IN `,
			generationOf{p.SignupID, p.Generation},
		}
	case KindResetMail:
		return addressPlace{`SELECT id, 0, email_key FROM resets WHERE id IN `, generationOf{id: p.ResetID}}
	case KindEmailMail:
		return addressPlace{`SELECT id, 0, email_key FROM email_changes WHERE id IN `, generationOf{id: p.ChangeID}}
	case KindEmailNotice:
		return addressPlace{`SELECT id, 0, old_key FROM email_changes WHERE id IN `, generationOf{id: p.ChangeID}}
	}
	return addressPlace{`SELECT id, 0, email_key FROM users WHERE deleted_at IS NULL AND id IN `, generationOf{id: p.UserID}}
}

// ofNotice reports whether a mail was recorded by notify.
func (p mailPayload) ofNotice(kind string) bool {
	switch kind {
	case KindPasswordMail, KindEmailNotice, KindDeletedMail:
		return p.UserID == 0 && p.ChangeID == 0
	}
	return false
}

// addressesByID completes a statement with a list of ids.
func (s *Store) addressesByID(ctx context.Context, query string, ids []int64) (found map[generationOf]string, err error) {
	found = map[generationOf]string{}
	args, marks := make([]any, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		args[i], marks[i] = id, fmt.Sprintf("$%d", i+1)
	}
	rows, err := s.readers.QueryContext(ctx, query+"("+strings.Join(marks, ", ")+")", args...)
	if err != nil {
		return nil, fmt.Errorf("addresses of mails: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var key generationOf
		var address string
		if err := rows.Scan(&key.id, &key.generation, &address); err != nil {
			return nil, fmt.Errorf("addresses of mails: %w", err)
		}
		found[key] = address
	}
	return found, rows.Err()
}
