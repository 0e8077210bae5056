package store

// Signatures only, while the rooms are being built; this file is deleted as the methods move to their nouns.

import (
	"context"
	"net/netip"
	"time"
)

// users
func (s *Store) Authenticate(ctx context.Context, l Login) (LoggedIn, error)  { panic("stub") } // ErrLogin, *TooSoonError, *BusyError
func (s *Store) UserByID(ctx context.Context, id int64) (User, error)         { panic("stub") } // ErrNotFound also for a disabled one
func (s *Store) CreateAdmin(ctx context.Context, n NewAdmin) (User, error)    { panic("stub") } // *InvalidError
func (s *Store) SetLang(ctx context.Context, userID int64, lang string) error { panic("stub") }

func (s *Store) SetRole(ctx context.Context, userID int64, role Role) error  { panic("stub") } // ErrNotFound

// sign-ups
func (s *Store) SignUp(ctx context.Context, n NewSignup) (int64, error)   { panic("stub") } // sign-up id; *InvalidError, *TooSoonError, *BusyError
func (s *Store) SignupByID(ctx context.Context, id int64) (Signup, error) { panic("stub") } // ErrNotFound when ended or verified
func (s *Store) VerifyCode(ctx context.Context, signupID int64, code, nickname string) (User, error) {
	panic("stub")
}                                                                            // ErrCode*, ErrNotFound, *InvalidError{nickname}
func (s *Store) LookToken(ctx context.Context, token string) (Signup, error) { panic("stub") } // changes nothing; ErrToken*, ErrAlreadyVerified
func (s *Store) VerifyLink(ctx context.Context, p Proof) (User, error)       { panic("stub") } // as LookToken, and ErrPassword*, ErrLinkLocked, *InvalidError{nickname}, *BusyError
func (s *Store) Resend(ctx context.Context, r Resend) error                  { panic("stub") } // *InvalidError{email}, *TooSoonError
func (s *Store) CorrectEmail(ctx context.Context, c Correction) error        { panic("stub") } // *InvalidError{email}, *TooSoonError, ErrNotFound

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

// views
func (s *Store) ViewEvent(ctx context.Context, postID int64, userID int64, client netip.Addr, agent string) (ViewEvent, error) {
	panic("stub")
}
func (s *Store) AddViews(ctx context.Context, events []ViewEvent) error { panic("stub") } // one durable job row

// jobs
func (s *Store) Wake(kind string) <-chan struct{} { panic("stub") } // signalled after a commit that made a job of the kind available
func (s *Store) ClaimJobs(ctx context.Context, kinds []string, limit int, lease time.Duration) ([]Job, error) {
	panic("stub")
}
func (s *Store) NextJob(ctx context.Context, kinds []string) (time.Time, error) { panic("stub") } // when the next scheduled job is due; zero for none
func (s *Store) ExtendLeases(ctx context.Context, jobs []Job, lease time.Duration) error {
	panic("stub")
}
func (s *Store) FinishJob(ctx context.Context, j Job) error { panic("stub") } // runs the kind's effect in the same transaction; ErrLeaseLost
func (s *Store) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	panic("stub")
}                                                                              // ErrLeaseLost
func (s *Store) KillJob(ctx context.Context, j Job, reason string) error       { panic("stub") } // dead; ErrLeaseLost
func (s *Store) ReleaseJob(ctx context.Context, j Job) error                   { panic("stub") } // gives back uncharged; ErrLeaseLost
func (s *Store) ReapJobs(ctx context.Context) (int64, error)                   { panic("stub") } // back to available: leases that ran out
func (s *Store) AdoptJobs(ctx context.Context) (int64, error)                  { panic("stub") } // at start: every running job was a dead predecessor's
func (s *Store) JobCounts(ctx context.Context) ([]JobCount, error)             { panic("stub") }
func (s *Store) OutgoingMail(ctx context.Context, j Job) (OutgoingMail, error) { panic("stub") } // ErrNotFound when the sign-up is gone

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
