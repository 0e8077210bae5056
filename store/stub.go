package store

// Signatures only, while the rooms are being built; this file is deleted as the methods move to their nouns.

import (
	"context"
	"net/netip"
	"time"
)

// posts
func (s *Store) Posts(ctx context.Context, q ListQuery) (PostList, error)              { panic("stub") }
func (s *Store) PostByID(ctx context.Context, id int64) (Post, error)                  { panic("stub") } // ErrNotFound
func (s *Store) CreatePost(ctx context.Context, author User, n NewPost) (int64, error) { panic("stub") } // *InvalidError, *FormReusedError
func (s *Store) EditPost(ctx context.Context, editor User, id int64, n NewPost) error  { panic("stub") } // *InvalidError, ErrForbidden, ErrNotFound
func (s *Store) DeletePost(ctx context.Context, editor User, id int64) error           { panic("stub") } // ErrForbidden, ErrNotFound
func (s *Store) Like(ctx context.Context, user User, postID int64) error               { panic("stub") } // ErrNotFound
func (s *Store) Unlike(ctx context.Context, user User, postID int64) error             { panic("stub") } // ErrNotFound
func (s *Store) Liked(ctx context.Context, userID, postID int64) (bool, error)         { panic("stub") }

// comments
func (s *Store) Comments(ctx context.Context, postID int64) ([]Comment, error) { panic("stub") }
func (s *Store) CommentByID(ctx context.Context, id int64) (Comment, error)    { panic("stub") }
func (s *Store) CreateComment(ctx context.Context, author User, n NewComment) (int64, error) {
	panic("stub")
} // *InvalidError, *FormReusedError, ErrNotFound
func (s *Store) EditComment(ctx context.Context, editor User, id int64, body string) error {
	panic("stub")
}
func (s *Store) DeleteComment(ctx context.Context, editor User, id int64) error { panic("stub") }

// kept texts; owner is a random string held by the session
func (s *Store) KeepText(ctx context.Context, owner string, client netip.Addr, k KeptText) error {
	panic("stub")
}                                                                                   // *TooSoonError when a client keeps too many
func (s *Store) KeptText(ctx context.Context, owner, path string) (KeptText, error) { panic("stub") } // ErrNotFound
func (s *Store) DropKeptText(ctx context.Context, owner string) error               { panic("stub") }

// Sessions is an scs.CtxStore (scs stays out of store's imports).
type Sessions struct{}

func (s *Store) Sessions() *Sessions                                                 { panic("stub") }
func (ss *Sessions) Find(token string) ([]byte, bool, error)                         { panic("stub") }
func (ss *Sessions) Commit(token string, b []byte, expiry time.Time) error           { panic("stub") }
func (ss *Sessions) Delete(token string) error                                       { panic("stub") }
func (ss *Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) { panic("stub") }
func (ss *Sessions) CommitCtx(ctx context.Context, token string, b []byte, expiry time.Time) error {
	panic("stub")
}
func (ss *Sessions) DeleteCtx(ctx context.Context, token string) error { panic("stub") }

// mailbox
func (s *Store) AddMail(ctx context.Context, m MailboxMail) error { panic("stub") }
func (s *Store) Mailbox(ctx context.Context, to string, limit int) ([]MailboxMail, error) {
	panic("stub")
}                                                                            // newest first; to "" for all
func (s *Store) MailByID(ctx context.Context, id int64) (MailboxMail, error) { panic("stub") } // ErrNotFound

// night work
func (s *Store) ClaimSlot(ctx context.Context, task, slot string) (bool, error)  { panic("stub") } // true for exactly one caller
func (s *Store) FinishSlot(ctx context.Context, task, slot, result string) error { panic("stub") }

// Cleaned counts what the night work deleted, by table.
type Cleaned map[string]int64

func (s *Store) Cleanup(ctx context.Context) (Cleaned, error) { panic("stub") }

// Seed fills an empty database with members, posts, comments and likes. ErrNotEmpty.
func (s *Store) Seed(ctx context.Context, password string) error { panic("stub") }
