package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// addressJobs fills in whom the mails are for. A payload holds no address, so
// that a job outlives nobody's; what is gone or cannot be read has none.
func (s *Store) addressJobs(ctx context.Context, jobs []JobRow, payloads [][]byte) error {
	mails := make([]mailPayload, len(jobs))
	var signups, resets, users, changes []int64
	for i, j := range jobs {
		if payloads[i] == nil {
			continue
		}
		p, err := decodeMail(Job{ID: j.ID, Payload: payloads[i]})
		if err != nil {
			continue // its own attempt says so
		}
		mails[i] = p
		signups, users = appendID(signups, p.SignupID), appendID(users, p.UserID)
		resets, changes = appendID(resets, p.ResetID), appendID(changes, p.ChangeID)
	}
	links, err := s.addressesByID(ctx, `SELECT signup_id, generation, email_key FROM signup_links WHERE signup_id IN `, signups)
	if err != nil {
		return err
	}
	members, err := s.addressesByID(ctx, `SELECT id, 0, email_key FROM users WHERE deleted_at IS NULL AND id IN `, users)
	if err != nil {
		return err
	}
	asked, err := s.addressesByID(ctx, `SELECT id, 0, email_key FROM resets WHERE id IN `, resets)
	if err != nil {
		return err
	}
	fresh, err := s.addressesByID(ctx, `SELECT id, 0, email_key FROM email_changes WHERE id IN `, changes)
	if err != nil {
		return err
	}
	old, err := s.addressesByID(ctx, `SELECT id, 0, old_key FROM email_changes WHERE id IN `, changes)
	if err != nil {
		return err
	}
	for i, p := range mails {
		jobs[i].To = links[generationOf{p.SignupID, p.Generation}] + members[generationOf{id: p.UserID}] + asked[generationOf{id: p.ResetID}]
		switch jobs[i].Kind {
		case KindEmailMail:
			jobs[i].To = fresh[generationOf{id: p.ChangeID}]
		case KindEmailNotice:
			jobs[i].To = old[generationOf{id: p.ChangeID}]
		}
	}
	return nil
}

func appendID(ids []int64, id int64) []int64 {
	if id == 0 {
		return ids
	}
	return append(ids, id)
}

// generationOf is one link of a sign-up; a member, and a link to a new
// password, have the generation 0.
type generationOf struct{ id, generation int64 }

// addressesByID completes a statement with a list of ids.
func (s *Store) addressesByID(ctx context.Context, query string, ids []int64) (found map[generationOf]string, err error) {
	found = map[generationOf]string{}
	if len(ids) == 0 {
		return found, nil
	}
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
