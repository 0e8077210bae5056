package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The errors callers test for with errors.Is. Everything else that a method
// returns is a fault of the database or of the program.
var (
	// ErrNotFound: there is no such row, or it is deleted.
	ErrNotFound = errors.New("not found")
	// ErrForbidden: the acting member may not do this.
	ErrForbidden = errors.New("forbidden")
	// ErrLastAdmin: without this member nobody would administer the board.
	ErrLastAdmin = errors.New("the last administrator")
	// ErrAdminPassword: the member's password is not known to be one that an
	// administrator may have.
	ErrAdminPassword = errors.New("the password may not do for an administrator")
	// ErrOwnAccount: nobody keeps themselves out.
	ErrOwnAccount = errors.New("the administrator's own account")
	// ErrLogin: address and password do not belong together; said the same
	// way for an unknown address, a wrong password and a disabled member.
	ErrLogin = errors.New("wrong e-mail or password")

	// ErrTokenForged: the token was never made by this site.
	ErrTokenForged = errors.New("forged token")
	// ErrTokenExpired: the link was good once and its time is over.
	ErrTokenExpired = errors.New("expired token")
	// ErrTokenReplaced: a newer mail replaced the link.
	ErrTokenReplaced = errors.New("replaced token")
	// ErrAlreadyVerified: the address has been proven, by this link or another.
	ErrAlreadyVerified = errors.New("already verified")
	// ErrTokenUsed: the link gave a new password once, and does so only once.
	ErrTokenUsed = errors.New("used token")
	// ErrTokenOvertaken: the password or the address of the member was changed
	// since the link was mailed, or the member was disabled.
	ErrTokenOvertaken = errors.New("overtaken token")
	// ErrPasswordNeeded: this browser did not sign up, so the link alone is not enough.
	ErrPasswordNeeded = errors.New("password of the sign-up needed")
	// ErrPasswordWrong: not the password of that very sign-up.
	ErrPasswordWrong = errors.New("wrong password of the sign-up")
	// ErrPasswordTries: too many wrong passwords were tried on the account.
	ErrPasswordTries = errors.New("too many passwords tried")
	// ErrLinkLocked: ten wrong passwords were tried on the link.
	ErrLinkLocked = errors.New("too many passwords tried on the link")

	// ErrCodeFormat: what was typed is not six digits; no try was counted.
	ErrCodeFormat = errors.New("not a six-digit code")
	// ErrCodeWrong: the code is not the one of this sign-up; a try was counted.
	ErrCodeWrong = errors.New("wrong code")
	// ErrCodeDead: five wrong tries or ten minutes ended the code; the link may still work.
	ErrCodeDead = errors.New("dead code")

	// ErrNotEmpty: the database already holds members or posts.
	ErrNotEmpty = errors.New("the database is not empty: only a new one is filled, before the first account is made in it")
	// ErrLeaseLost: the job is no longer held by this worker; nothing was written.
	ErrLeaseLost = errors.New("lease lost")
	// ErrPayload: the payload of a job cannot be read; no retry will change that.
	ErrPayload = errors.New("unreadable payload")
)

// TooSoonError says that a limit in time was hit. It is answered with 429.
type TooSoonError struct {
	// Wait is how long until the same try can succeed.
	Wait time.Duration
}

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("too soon: %s to wait", e.Wait.Round(time.Second))
}

// BusyError says that the server has too much of this work under way. It is
// answered with 503.
type BusyError struct {
	// Wait is a fair guess of when to come again.
	Wait time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("busy: come again in %s", e.Wait.Round(time.Second))
}

// Unavailable reports whether what could not be read is the fault of a database
// that is out of reach for now: it is asked again in vain until it is back. What
// could not be written for such a reason is a *BusyError.
func Unavailable(err error) bool { return isUnavailable(err) || isUnavailablePostgres(err) }

// Problem says what is wrong with one field. Its words stand in the
// catalogues of package views under "problem.<field>.<problem>" or
// "problem.<problem>".
type Problem string

// The problems a field can have.
const (
	Missing   Problem = "missing"
	TooShort  Problem = "too_short"
	TooLong   Problem = "too_long"
	Malformed Problem = "malformed"
	Taken     Problem = "taken"
	Wrong     Problem = "wrong" // not the one it has to be
	// TooShortAdmin: too short for an administrator.
	TooShortAdmin Problem = "too_short_admin"
	// TooCommon: a password that everybody tries, or that follows from who
	// somebody is.
	TooCommon Problem = "too_common"
)

// InvalidError lists the fields of a form that cannot be taken as they are.
type InvalidError struct {
	Fields map[string]Problem
}

func (e *InvalidError) Error() string {
	words := make([]string, 0, len(e.Fields))
	for field, problem := range e.Fields {
		words = append(words, field+" "+string(problem))
	}
	slices.Sort(words)
	return "invalid: " + strings.Join(words, ", ")
}

// FormReusedError says that a post or comment with this form id exists already.
type FormReusedError struct {
	// ID of what the first submission of the form made.
	ID int64
	// Same is true when the text is the same, so that the second submission
	// is an echo of the first.
	Same bool
}

func (e *FormReusedError) Error() string {
	return fmt.Sprintf("form already used by %d", e.ID)
}

// notFound turns the driver's word for an empty answer into ours.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
