package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Disable keeps a member out from the next request on: all sessions end, and
// so do the links that could open another. One who is disabled already stays
// so. It returns ErrNotFound, ErrOwnAccount, or ErrForbidden when admin is no
// administrator any more.
func (s *Store) Disable(ctx context.Context, admin, id int64) error {
	err := s.changeRights(ctx, admin, id, func(ctx context.Context, t *tx) error {
		if id == admin {
			return ErrOwnAccount // so one administrator is left: this one
		}
		_, err := t.ExecContext(ctx,
			`UPDATE users SET disabled_at = $1 WHERE id = $2 AND disabled_at IS NULL`, millis(s.now()), id)
		if err != nil {
			return err
		}
		return outdate(ctx, t, id)
	})
	if err != nil {
		return fmt.Errorf("disable user %d: %w", id, err)
	}
	return nil
}

// Enable lets a member log in again. What ended when they were disabled stays
// ended, and so does what began meanwhile. It returns ErrNotFound, or
// ErrForbidden when admin is no administrator any more.
func (s *Store) Enable(ctx context.Context, admin, id int64) error {
	err := s.changeRights(ctx, admin, id, func(ctx context.Context, t *tx) error {
		n, err := rowsChanged(t.ExecContext(ctx,
			`UPDATE users SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL`, id))
		if err != nil || n == 0 {
			return err
		}
		// A login that had begun before they were disabled may have left a session since.
		return outdate(ctx, t, id)
	})
	if err != nil {
		return fmt.Errorf("enable user %d: %w", id, err)
	}
	return nil
}

// ChangeRole sets what a member may do from the next request on. It returns
// ErrNotFound, ErrLastAdmin, ErrAdminPassword for a new administrator whose
// password may be too weak, or ErrForbidden when admin is no administrator any
// more.
func (s *Store) ChangeRole(ctx context.Context, admin, id int64, role Role) error {
	err := s.changeRights(ctx, admin, id, func(ctx context.Context, t *tx) error {
		if role != Admin {
			if err := keepAdmin(ctx, t, id); err != nil {
				return err
			}
		}
		n, err := rowsChanged(t.ExecContext(ctx,
			`UPDATE users SET role = $1 WHERE id = $2 AND ($3 = 0 OR role = 'admin' OR admin_password = 1)`,
			string(role), id, bit(role == Admin)))
		if err == nil && n == 0 {
			err = ErrAdminPassword
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("make user %d a %s: %w", id, role, err)
	}
	return nil
}

// changeRights runs a change of what a member may do, one at a time: of two
// administrators who demote each other at once, the second is none any more.
func (s *Store) changeRights(ctx context.Context, admin, id int64, change func(context.Context, *tx) error) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := s.holdAdmins(ctx, t); err != nil {
			return err
		}
		switch is, err := isAdmin(ctx, t, admin); {
		case err != nil:
			return err
		case !is:
			return ErrForbidden
		}
		if err := t.QueryRowContext(ctx, `SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL`, id).Scan(new(int)); err != nil {
			return notFound(err)
		}
		return change(ctx, t)
	})
}

// holdAdmins lets one transaction at a time change who administers the board.
func (s *Store) holdAdmins(ctx context.Context, t *tx) error {
	return s.db.hold(ctx, t, []byte("admins"))
}

// adminSQL is true of an administrator who may log in.
const adminSQL = `role = 'admin' AND disabled_at IS NULL AND deleted_at IS NULL`

// isAdmin reports whether a member is an administrator who may log in.
func isAdmin(ctx context.Context, q querier, id int64) (bool, error) {
	err := q.QueryRowContext(ctx, `SELECT 1 FROM users WHERE id = $1 AND `+adminSQL, id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// keepAdmin returns ErrLastAdmin for a member without whom nobody would
// administer the board. Whoever asks has called holdAdmins before.
func keepAdmin(ctx context.Context, t *tx, id int64) error {
	if is, err := isAdmin(ctx, t, id); err != nil || !is {
		return err
	}
	var others bool
	err := t.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM users WHERE id <> $1 AND `+adminSQL+`)`, id).Scan(&others)
	if err == nil && !others {
		err = ErrLastAdmin
	}
	return err
}
