package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// OutgoingMail is everything a mail of a job needs, read when it is sent.
type OutgoingMail struct {
	// To is the local part as typed and the domain as A-label.
	To       string
	Lang     string
	Nickname string
	// MessageID is the part before the "@" of the header; the same at each retry.
	MessageID string
	// Token and Code are empty when the mail opens nothing; Code also where
	// there is a link only.
	Token string
	Code  string
	// Until is when the link ends if the mail is handed over now.
	Until time.Time
	// Obsolete is true when the mail has nothing to say any more: a newer one
	// replaced it, the address is proven, the sign-up has ended, or nobody could
	// use its link. Nothing is sent.
	Obsolete bool
}

// mailPayload is what a mail job carries: never a token, a code or an address.
type mailPayload struct {
	SignupID   int64  `json:"signup,omitempty"`
	Generation int64  `json:"generation,omitempty"`
	ResetID    int64  `json:"reset,omitempty"`
	ChangeID   int64  `json:"change,omitempty"` // of an address
	UserID     int64  `json:"user,omitempty"`
	TurnID     int64  `json:"turn,omitempty"` // given back when the recipient is refused
	MessageID  string `json:"message_id"`
}

// MailKinds are the kinds of the jobs that send a mail.
func MailKinds() []string {
	return []string{KindVerifyMail, KindAccountMail, KindResetMail, KindPasswordMail, KindEmailMail, KindEmailNotice, KindDeletedMail}
}

// newMessageID is random, and kept in the job so that a mail that goes out
// twice can be known as one.
func newMessageID() string { return rand.Text() }

func decodeMail(j Job) (mailPayload, error) {
	var p mailPayload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return mailPayload{}, fmt.Errorf("%w of job %d: %w", ErrPayload, j.ID, err)
	}
	return p, nil
}

// OutgoingMail returns the mail of a job as it is to be sent now. It returns
// ErrNotFound when whoever it was for is gone.
func (s *Store) OutgoingMail(ctx context.Context, j Job) (OutgoingMail, error) {
	p, err := decodeMail(j)
	if err != nil {
		return OutgoingMail{}, err
	}
	var m OutgoingMail
	switch j.Kind {
	case KindVerifyMail:
		m, err = s.verifyMail(ctx, p, j.Attempt)
	case KindResetMail:
		m, err = s.resetMail(ctx, p)
	case KindEmailMail:
		m, err = s.emailMail(ctx, p)
	case KindEmailNotice:
		m, err = s.emailNotice(ctx, j, p)
	case KindPasswordMail:
		m, err = s.passwordMail(ctx, j, p)
	case KindDeletedMail:
		m, err = s.notice(ctx, j.ID)
	default:
		m, err = s.accountMail(ctx, p.UserID)
	}
	if err != nil {
		return OutgoingMail{}, fmt.Errorf("mail of job %d: %w", j.ID, err)
	}
	m.MessageID = p.MessageID
	return m, nil
}

func (s *Store) verifyMail(ctx context.Context, p mailPayload, attempt int) (OutgoingMail, error) {
	l, err := linkByGeneration(ctx, s.readers, p.SignupID, p.Generation)
	if err != nil {
		return OutgoingMail{}, err
	}
	if l.saysNothing(attempt, s.now()) {
		return OutgoingMail{Obsolete: true}, nil
	}
	userID, err := userByEmail(ctx, s.readers, l.emailKey)
	switch {
	case err == nil:
		return s.knownMail(ctx, p, attempt, userID)
	case !errors.Is(err, ErrNotFound):
		return OutgoingMail{}, err
	}
	return OutgoingMail{
		To: deliverable(l.email, l.emailKey), Lang: l.lang, Nickname: l.person.nickname,
		Token: s.key.token(l.proof()), Code: s.key.code(l.proof()), Until: s.now().Add(linkLife),
	}, nil
}

// saysNothing reports whether the mail of a link has become pointless: a newer
// one replaced it, the address was proven, or the sign-up ended before somebody
// set the dead mail to work again. One that was overtaken since its first
// attempt may have gone out then, and a job never says two things.
func (l link) saysNothing(attempt int, now time.Time) bool {
	return l.generation != l.current || l.state == "verified" || l.ended(now) || l.state == "superseded" && attempt > 1
}

// knownMail is the mail of a sign-up whose address has an account: the one for
// members, to the address as it was typed now. The account may have come
// after the link was read, so that is read once more.
func (s *Store) knownMail(ctx context.Context, p mailPayload, attempt int, userID int64) (OutgoingMail, error) {
	l, err := linkByGeneration(ctx, s.readers, p.SignupID, p.Generation)
	if err != nil {
		return OutgoingMail{}, err
	}
	if l.saysNothing(attempt, s.now()) {
		return OutgoingMail{Obsolete: true}, nil
	}
	m, err := s.accountMail(ctx, userID)
	m.To, m.Lang = deliverable(l.email, l.emailKey), l.lang
	return m, err
}

func (s *Store) accountMail(ctx context.Context, userID int64) (OutgoingMail, error) {
	var email, key string
	m := OutgoingMail{}
	err := s.readers.QueryRowContext(ctx,
		`SELECT email, email_key, lang, nickname FROM users WHERE id = $1`+notDeleted, userID).Scan(&email, &key, &m.Lang, &m.Nickname)
	if err != nil {
		return OutgoingMail{}, notFound(err)
	}
	m.To = deliverable(email, key)
	return m, nil
}

// effects is what follows from the end of a job, in the transaction that ends it.
type effects struct {
	done, dead func(context.Context, *Store, *tx, Job) error
}

func effectsOf(kind string) effects {
	none := func(context.Context, *Store, *tx, Job) error { return nil }
	switch kind {
	case KindVerifyMail:
		return effects{done: mailSent, dead: mailFailed}
	case KindAccountMail:
		return effects{done: none, dead: mailFailed}
	case KindResetMail:
		return effects{done: resetSent, dead: resetFailed}
	case KindEmailMail:
		return effects{done: emailMailSent, dead: turnBack}
	case KindEmailNotice:
		return effects{done: noticeSent, dead: turnBack}
	case KindPasswordMail, KindDeletedMail:
		return effects{done: noticeSent, dead: none}
	case KindViews:
		return effects{done: applyViews, dead: none}
	}
	return effects{done: none, dead: none}
}

// mailSent starts the lives of link and code at the hand-over to the mail server.
func mailSent(ctx context.Context, s *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return err
	}
	now := s.now()
	// The sign-up before its link, as everybody else does.
	if err := endSignup(ctx, t, p, now.Add(signupLife)); err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE signup_links SET sent_at = $1 WHERE signup_id = $2 AND generation = $3`,
		millis(now), p.SignupID, p.Generation)
	if err != nil {
		return fmt.Errorf("note hand-over: %w", err)
	}
	return nil
}

// mailFailed gives the address its turn back, so that another try is possible
// at once.
func mailFailed(ctx context.Context, s *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return nil //nolint:nilerr // the payload is why the job is dead; nothing follows from it
	}
	if err := giveBack(ctx, t, p.TurnID); err != nil {
		return err
	}
	return endSignup(ctx, t, p, s.now().Add(signupLife))
}

// endSignup notes when a sign-up ends, unless a newer mail keeps it alive.
func endSignup(ctx context.Context, t *tx, p mailPayload, at time.Time) error {
	_, err := t.ExecContext(ctx,
		`UPDATE signups SET ends_at = $1 WHERE id = $2 AND generation = $3 AND state <> 'verified'`,
		millis(at), p.SignupID, p.Generation)
	if err != nil {
		return fmt.Errorf("end of sign-up: %w", err)
	}
	return nil
}
