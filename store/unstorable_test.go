package store_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// PostgreSQL takes neither U+0000 nor what is no UTF-8 for a text. Wherever
// somebody from outside can send such a thing it is refused, found nowhere or
// cleaned before it gets there, on both databases alike.
func TestTextThatNoDatabaseTakesNeverGetsThere(t *testing.T) {
	s := storetest.New(t)
	member := storetest.Member(t, s)
	post := storetest.Post(t, s, member)
	ctx, from := t.Context(), netip.MustParseAddr("192.0.2.1")
	signup := storetest.Signup(t, s)
	code := storetest.Code(t, s, signup)
	try := map[string]func(bad string) error{
		"sign up: name":     func(bad string) error { return signUpAs(ctx, s, func(n *store.NewSignup) { n.Name += bad }) },
		"sign up: nickname": func(bad string) error { return signUpAs(ctx, s, func(n *store.NewSignup) { n.Nickname += bad }) },
		"sign up: address":  func(bad string) error { return signUpAs(ctx, s, func(n *store.NewSignup) { n.Email = bad + n.Email }) },
		"log in": func(bad string) error {
			_, err := s.Authenticate(ctx, store.Login{Email: "a" + bad + "@example.com", Password: "wrong" + bad, Client: from})
			return err
		},
		"resend": func(bad string) error {
			_, err := s.Resend(ctx, store.Resend{Email: "a" + bad + "@example.com", Client: from})
			return err
		},
		"correct": func(bad string) error {
			return s.CorrectEmail(ctx, store.Correction{SignupID: signup, Email: bad + "@example.com", Client: from})
		},
		"code": func(bad string) error {
			_, err := s.VerifyCode(ctx, signup, "12345"+bad, "")
			return err
		},
		"nickname at the code": func(bad string) error {
			_, err := s.VerifyCode(ctx, signup, code, "nick"+bad)
			return err
		},
		"link": func(bad string) error { _, err := s.LookToken(ctx, "abc"+bad); return err },
		"post": func(bad string) error {
			_, err := s.CreatePost(ctx, member, store.NewPost{Title: "t" + bad, Body: "b" + bad, FormID: "f"})
			return err
		},
		"form": func(bad string) error {
			_, err := s.CreatePost(ctx, member, store.NewPost{Title: "t", Body: "b", FormID: "f" + bad})
			return err
		},
		"edit": func(bad string) error {
			return s.EditPost(ctx, member, post, store.NewPost{Title: "t", Body: "b" + bad})
		},
		"comment": func(bad string) error {
			_, err := s.CreateComment(ctx, member, store.NewComment{PostID: post, Body: "b" + bad, FormID: "f" + bad})
			return err
		},
		"draft": func(bad string) error {
			return s.SaveDraft(ctx, member, store.Draft{Place: store.DraftPlace{Form: store.DraftPost}, Title: bad, Body: bad, FormID: bad})
		},
		"keep a text":  func(bad string) error { return s.KeepText(ctx, "owner"+bad, from, store.KeptText{Path: "/" + bad}) },
		"kept text":    func(bad string) error { _, err := s.KeptText(ctx, "owner"+bad, "/"+bad, 1); return err },
		"mailbox":      func(bad string) error { _, err := s.Mailbox(ctx, bad+"@example.com", 1); return err },
		"user agent":   func(bad string) error { _, err := s.ViewEvent(ctx, post, 0, from, "agent"+bad); return err },
		"end of a run": func(bad string) error { return s.FinishSlot(ctx, "task", "slot", "failed: "+bad) },
		"alarm": func(bad string) error {
			return s.RaiseAlarm(ctx, store.Alarm{Kind: store.AlarmMail, Reason: "550 " + bad})
		},
		"session": func(bad string) error {
			return s.Sessions().Save(ctx, store.Session{Token: "token", Data: []byte("data" + bad), ExpiresAt: time.Now().Add(time.Hour)})
		},
		"failed mail": func(bad string) error {
			addJobs(t, s, 1, "a", store.Available, time.Now())
			return s.RetryJob(ctx, claimed(t, s, 1, "a")[0], time.Now().Add(time.Hour), "451 "+bad)
		},
		"dead mail": func(bad string) error {
			addJobs(t, s, 1, "a", store.Available, time.Now())
			return s.KillJob(ctx, claimed(t, s, 1, "a")[0], strings.Repeat("x", 999)+"한"+bad)
		},
	}
	if _, err := s.ClaimSlot(ctx, "task", "slot"); err != nil {
		t.Fatal(err)
	}
	for name, call := range try {
		for _, bad := range []string{"\x00", "\xff", "한\xed\xa0\x80"} {
			if err := call(bad); !decided(err) {
				t.Errorf("%s with %q: %v", name, bad, err)
			}
		}
	}
}

func signUpAs(ctx context.Context, s *store.Store, change func(*store.NewSignup)) error {
	n := person("odd@example.com")
	change(&n)
	_, err := s.SignUp(ctx, n)
	return err
}

// decided reports whether an error is one that a caller is told of, or none.
func decided(err error) bool {
	known := []error{nil, store.ErrLogin, store.ErrNotFound, store.ErrTokenForged, store.ErrCodeFormat}
	return errors.As(err, new(*store.InvalidError)) || slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) })
}
