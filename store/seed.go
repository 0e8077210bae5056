package store

import (
	"context"
	"fmt"
	"time"
)

// seedMember is somebody who lives on a seeded board.
type seedMember struct {
	email, nickname, name, lang string
	role                        Role
}

func seedMembers() []seedMember {
	return []seedMember{
		{"haneul@example.com", "하늘", "김하늘", "ko", Moderator},
		{"junho@example.com", "준호", "박준호", "ko", Member},
		{"sora@example.com", "소라", "이소라", "ko", Member},
		{"alice@example.com", "alice", "Alice Fenn", "en", Member},
		{"tomas@example.com", "tomás", "Tomás Rua", "en", Member},
		{"mina@example.com", "mina_k", "Mina Kranz", "en", Member},
	}
}

// SeedEmails returns the addresses of the members that Seed makes, the
// moderator's first.
func SeedEmails() []string {
	var emails []string
	for _, m := range seedMembers() {
		emails = append(emails, m.email)
	}
	return emails
}

// Seed fills an empty database with members, who all have the same password,
// and their posts, comments, likes and views of the last weeks: everything or
// nothing. It returns ErrNotEmpty when there are members or posts already, and
// *InvalidError for a password that a member could not have.
func (s *Store) Seed(ctx context.Context, password string) error {
	people, err := s.seedPeople(ctx, password)
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	board, err := newSeedBoard(s.now())
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := s.db.hold(ctx, t, []byte("seed")); err != nil {
			return err
		}
		if err := checkEmpty(ctx, t); err != nil {
			return err
		}
		users, err := s.seedUsers(ctx, t, people, board.begin)
		if err != nil {
			return err
		}
		return s.seedPosts(ctx, t, users, board)
	})
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func (s *Store) seedPeople(ctx context.Context, password string) ([]person, error) {
	var people []person
	for _, m := range seedMembers() {
		p, err := details{m.email, m.name, m.nickname, password, Member}.clean()
		if err != nil {
			return nil, err
		}
		if p.hash, err = s.hashFor(ctx, password, p.emailKey); err != nil {
			return nil, err
		}
		people = append(people, p)
	}
	return people, nil
}

func checkEmpty(ctx context.Context, t *tx) error {
	var used bool
	err := t.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM posts)`).Scan(&used)
	if err != nil {
		return err
	}
	if used {
		return ErrNotEmpty
	}
	return nil
}

// seedUsers makes the members, who joined before the board begins.
func (s *Store) seedUsers(ctx context.Context, t *tx, people []person, begin time.Time) ([]User, error) {
	var users []User
	for i, m := range seedMembers() {
		u, err := s.insertUser(ctx, t, people[i], m.role, m.lang)
		if err != nil {
			return nil, err
		}
		joined := begin.Add(-time.Duration(len(people)-i) * time.Hour)
		_, err = t.ExecContext(ctx, `UPDATE users SET created_at = $1 WHERE id = $2`, millis(joined), u.ID)
		if err != nil {
			return nil, err
		}
		users = append(users, u)
	}
	return users, nil
}

// seedPosts goes the way that members and workers go, so that every counter is
// as true as theirs; only the times are made up.
func (s *Store) seedPosts(ctx context.Context, t *tx, users []User, board seedBoard) error {
	posts := make([]int64, len(board.posts))
	for i, p := range board.posts {
		id, err := insertPost(ctx, t, users[p.author].ID, NewPost{Title: p.title, Body: p.body, FormID: seedForm(i)}, p.at)
		if err != nil {
			return err
		}
		if err := s.index(ctx, t, id, s.postEntry(NewPost{Title: p.title, Body: p.body})); err != nil {
			return err
		}
		posts[i] = id
	}
	comments := make([]int64, len(board.comments))
	for i, c := range board.comments {
		n := NewComment{PostID: posts[c.post], Body: c.body, FormID: seedForm(i)}
		if c.answers >= 0 {
			n.Parent = comments[c.answers]
		}
		id, err := addComment(ctx, t, users[c.author].ID, n, c.at)
		if err != nil {
			return err
		}
		if err := s.index(ctx, t, id, s.commentEntry(c.body)); err != nil {
			return err
		}
		comments[i] = id
	}
	for _, l := range board.likes {
		if err := s.addLike(ctx, t, users[l.author].ID, posts[l.post], l.at); err != nil {
			return err
		}
	}
	return s.db.countViews(ctx, t, packViews(s.seedViews(posts, board)))
}

func seedForm(i int) string { return fmt.Sprintf("seed-%d", i) }

func (s *Store) seedViews(posts []int64, board seedBoard) []ViewEvent {
	var events []ViewEvent
	for _, v := range board.views {
		events = append(events, ViewEvent{Day: s.day(v.at), PostID: posts[v.post], Viewer: v.viewer})
	}
	return events
}
