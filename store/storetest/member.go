package storetest

import (
	"crypto/rand"
	"net/netip"
	"strings"
	"testing"
	"time"

	"madang/store"
)

// Password is the password of everybody made here.
const Password = "correct horse 배터리"

// Signup signs somebody new up, with an address, a nickname and a client
// address that no other call has, and returns the id of the sign-up.
func Signup(t testing.TB, s *store.Store) int64 {
	t.Helper()
	mark := strings.ToLower(rand.Text()[:10])
	id, err := s.SignUp(t.Context(), store.NewSignup{
		Email:    mark + "@example.com",
		Name:     "Name of " + mark,
		Nickname: "nick-" + mark,
		Password: Password,
		Lang:     "en",
		Client:   client(),
	})
	if err != nil {
		t.Fatalf("sign up: %v", err)
	}
	return id
}

// client is an address in a /64 of its own in the documentation prefix.
func client() netip.Addr {
	a := [16]byte{0: 0x20, 1: 0x01, 2: 0x0d, 3: 0xb8}
	_, _ = rand.Read(a[4:]) // never fails
	return netip.AddrFrom16(a)
}

// Mail takes the newest mail of a sign-up out of the outbox, as a worker that
// hands it over does, and returns what stands in it.
func Mail(t testing.TB, s *store.Store, signupID int64) store.OutgoingMail {
	t.Helper()
	su, err := s.SignupByID(t.Context(), signupID)
	if err != nil {
		t.Fatalf("sign-up %d: %v", signupID, err)
	}
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1000, time.Minute)
	if err != nil {
		t.Fatalf("claim mail: %v", err)
	}
	var found store.OutgoingMail
	for _, j := range jobs {
		m, err := s.OutgoingMail(t.Context(), j)
		if err == nil && strings.EqualFold(m.To, su.Email) && !m.Obsolete && found.To == "" {
			found, err = m, s.FinishJob(t.Context(), j)
		} else if err == nil {
			err = s.ReleaseJob(t.Context(), j)
		}
		if err != nil {
			t.Fatalf("mail of job %d: %v", j.ID, err)
		}
	}
	if found.To == "" {
		t.Fatalf("no mail waits for sign-up %d", signupID)
	}
	return found
}

// Code takes the mail of a sign-up out of the outbox and returns its code.
func Code(t testing.TB, s *store.Store, signupID int64) string {
	t.Helper()
	return Mail(t, s, signupID).Code
}

// Token takes the mail of a sign-up out of the outbox and returns the token of
// its link.
func Token(t testing.TB, s *store.Store, signupID int64) string {
	t.Helper()
	return Mail(t, s, signupID).Token
}

// Member makes a member by signing up and proving the address.
func Member(t testing.TB, s *store.Store) store.User {
	t.Helper()
	id := Signup(t, s)
	u, err := s.VerifyCode(t.Context(), id, Code(t, s, id), "")
	if err != nil {
		t.Fatalf("verify: %v", err)
	}
	return u
}

// Moderator makes a member who may change what others wrote.
func Moderator(t testing.TB, s *store.Store) store.User {
	t.Helper()
	return withRole(t, s, store.Moderator)
}

// Admin makes an administrator.
func Admin(t testing.TB, s *store.Store) store.User {
	t.Helper()
	return withRole(t, s, store.Admin)
}

func withRole(t testing.TB, s *store.Store, role store.Role) store.User {
	t.Helper()
	u := Member(t, s)
	if err := s.SetRole(t.Context(), u.ID, role); err != nil {
		t.Fatalf("set role: %v", err)
	}
	u.Role = role
	return u
}

// Post makes a post and returns its id.
func Post(t testing.TB, s *store.Store, author store.User) int64 {
	t.Helper()
	id, err := s.CreatePost(t.Context(), author, store.NewPost{
		Title:  "A post by " + author.Nickname,
		Body:   "First *line*.\n\nSecond line, 둘째 줄.",
		FormID: rand.Text(),
	})
	if err != nil {
		t.Fatalf("create post: %v", err)
	}
	return id
}
