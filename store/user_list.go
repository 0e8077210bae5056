package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// MemberRow is a member as an administrator sees them.
type MemberRow struct {
	User
	DisabledAt time.Time // zero for one who may log in
	// SeenAt is when the member was last here, as far as the sessions of the
	// last weeks tell; zero when they do not.
	SeenAt time.Time
}

// Disabled reports whether the member is kept out.
func (m MemberRow) Disabled() bool { return !m.DisabledAt.IsZero() }

// MemberState is whether a member may log in.
type MemberState string

// The states of a member.
const (
	Active   MemberState = "active"
	Disabled MemberState = "disabled"
)

// Roles are all roles, from the least to the most rights.
func Roles() []Role { return []Role{Member, Moderator, Admin} }

// MemberStates are all states of a member.
func MemberStates() []MemberState { return []MemberState{Active, Disabled} }

// MemberQuery asks for one page of the list of members. At most one of Before
// and After is set; of both, Before counts.
type MemberQuery struct {
	Text   string      // a part of the nickname or the address; "" for all
	Role   Role        // "" for all
	State  MemberState // "" for all
	Before int64       // members further down the list than this id; 0: from the top
	After  int64       // members further up the list than this id
	Limit  int
}

// MemberList is one page of the list of members, the newest first.
type MemberList struct {
	Members []MemberRow
	Older   bool // the list goes on below
	Newer   bool // the list goes on above
}

// memberListMax bounds a page, whatever was asked for.
const memberListMax = 100

// Members returns a page of the list of members. Its cost is that of the page,
// however many members there are, unless a text is looked for: then all may
// have to be looked at.
func (s *Store) Members(ctx context.Context, q MemberQuery) (MemberList, error) {
	q.Limit = min(max(q.Limit, 1), memberListMax)
	if utf8.RuneCountInString(q.Text) > emailMax { // a part of nothing
		return MemberList{}, nil
	}
	page, err := cutPage(q.Before, q.After, q.Limit, func(d direction, beyond int64, limit int) ([]MemberRow, error) {
		return s.walkMembers(ctx, q, d, beyond, limit)
	})
	if err != nil {
		return MemberList{}, fmt.Errorf("list members: %w", err)
	}
	return MemberList{Members: page.rows, Older: page.older, Newer: page.newer}, nil
}

// MemberByID returns a member, a disabled one too. It returns ErrNotFound when
// there is none, or not any more.
func (s *Store) MemberByID(ctx context.Context, id int64) (MemberRow, error) {
	members, err := s.readMembers(ctx,
		`SELECT `+memberColumns+`, `+seenSQL+` FROM users AS u WHERE id = $1 AND deleted_at IS NULL`, id)
	switch {
	case err != nil:
		return MemberRow{}, fmt.Errorf("member %d: %w", id, err)
	case len(members) == 0:
		return MemberRow{}, fmt.Errorf("member %d: %w", id, ErrNotFound)
	}
	return members[0], nil
}

// memberPick is a part of the table that an index gives in the order of ids.
type memberPick struct {
	role  Role
	state MemberState
}

// picks are the parts that make up what was asked for.
func (q MemberQuery) picks() (picks []memberPick) {
	for _, role := range Roles() {
		for _, state := range MemberStates() {
			if (q.Role == "" || q.Role == role) && (q.State == "" || q.State == state) {
				picks = append(picks, memberPick{role, state})
			}
		}
	}
	return picks
}

// where is the condition of a pick; its words must stand in the text, because
// only then the index is used.
func (p memberPick) where() string {
	is := `IS NULL`
	if p.state == Disabled {
		is = `IS NOT NULL`
	}
	return fmt.Sprintf(`deleted_at IS NULL AND role = '%s' AND disabled_at %s`, p.role, is)
}

// walkMembers reads the next members of all picks beyond an id, in one
// statement, so that one whose role changes meanwhile is neither missed nor
// met twice.
func (s *Store) walkMembers(ctx context.Context, q MemberQuery, d direction, edge int64, limit int) ([]MemberRow, error) {
	if len(q.picks()) == 0 {
		return nil, nil
	}
	query, args := membersSQL(q, d, edge, limit)
	return s.readMembers(ctx, query, args...)
}

const (
	memberColumns = userColumns + `, disabled_at`
	// seenSQL is when the member u was last here.
	seenSQL = `(SELECT MAX(seen_at) FROM sessions WHERE user_id = u.id) AS seen_at`
	// lookSQL asks for a text in the nickname or the address.
	lookSQL = ` AND (nickname_key LIKE $3 ESCAPE '\' OR email_key LIKE $4 ESCAPE '\' OR lower(email) LIKE $4 ESCAPE '\')`
)

func membersSQL(q MemberQuery, d direction, edge int64, limit int) (query string, args []any) {
	args, look := []any{edge, limit}, ""
	if q.Text != "" {
		args, look = append(args, contains(foldNickname(q.Text)), contains(strings.ToLower(q.Text))), lookSQL
	}
	picks := q.picks()
	parts := make([]string, len(picks))
	for i, p := range picks {
		parts[i] = fmt.Sprintf(`SELECT * FROM (SELECT %s FROM users WHERE %s AND id %s $1%s ORDER BY id %s LIMIT $2) AS part`,
			memberColumns, p.where(), d.beyond, look, d.order)
	}
	return fmt.Sprintf(`SELECT u.*, %s FROM (SELECT * FROM (%s) AS parts ORDER BY id %s LIMIT $2) AS u ORDER BY id %s`,
		seenSQL, strings.Join(parts, ` UNION ALL `), d.order, d.order), args
}

// contains is the pattern of what has a text in it.
func contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

func (s *Store) readMembers(ctx context.Context, query string, args ...any) (members []MemberRow, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var m MemberRow
		var disabled, seen sql.NullInt64
		if m.User, err = scanUser(rows, &disabled, &seen); err != nil {
			return nil, err
		}
		m.DisabledAt, m.SeenAt = fromNullMillis(disabled), fromNullMillis(seen)
		members = append(members, m)
	}
	return members, rows.Err()
}
