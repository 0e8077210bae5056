package store_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"madang/store"
	"madang/store/storetest"
)

// salts returns the salt of every password, by what it is of.
func salts(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	rows, err := s.Readers().QueryContext(t.Context(), `SELECT email_key, password_hash FROM users UNION ALL
		SELECT email_key, password_hash FROM signups UNION ALL SELECT email_key, password_hash FROM email_changes`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	of := map[string][]string{}
	for rows.Next() {
		var email, hash string
		if err := rows.Scan(&email, &hash); err != nil {
			t.Fatal(err)
		}
		if hash != "" {
			of[email] = append(of[email], strings.Split(hash, "$")[4])
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return of
}

func TestEachAddressHasASaltOfItsOwn(t *testing.T) {
	s := storetest.New(t)
	if err := s.Seed(t.Context(), storetest.Password); err != nil {
		t.Fatal(err)
	}
	u := storetest.Member(t, s)
	_, err := s.CreateAdmin(t.Context(), store.NewAdmin{Email: "a@example.com", Nickname: "admin", Name: "a", Password: storetest.Password})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		p := person(fmt.Sprintf("form%d@example.com", n))
		p.FormID = "one form"
		signUp(t, s, p)
	}
	change(t, s, u)
	whose := map[string]string{base64.RawStdEncoding.EncodeToString(make([]byte, 16)): "nobody"}
	for email, found := range salts(t, s) {
		for _, salt := range found {
			if other, ok := whose[salt]; ok && other != email {
				t.Errorf("%s and %s have the same salt", email, other)
			}
			whose[salt] = email
		}
	}
	if n := len(whose); n != 6+2+3+1+1 {
		t.Errorf("%d salts", n)
	}
}

func TestTwoBoardsHaveOtherSalts(t *testing.T) {
	first, second := storetest.New(t), storetest.New(t)
	signUp(t, first, person(desired))
	signUp(t, second, person(desired))
	if salts(t, first)[desired][0] == salts(t, second)[desired][0] {
		t.Error("the salt follows from the address alone")
	}
}

// Passwords were once hashed without a salt.
func TestAPasswordWithoutASaltGetsOneAtLogIn(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	salt := make([]byte, 16)
	sum := argon2.IDKey([]byte(storetest.Password), salt, 5, 7168, 1, 32)
	exec(t, s, `UPDATE users SET password_hash = $1`, fmt.Sprintf("$argon2id$v=19$m=7168,t=5,p=1$%s$%s",
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum)))
	if canLogIn(t, s, u, "a wrong password") || salts(t, s)[u.Email][0] != base64.RawStdEncoding.EncodeToString(salt) {
		t.Fatal("a wrong password changes something")
	}
	for range 2 {
		if !canLogIn(t, s, u, storetest.Password) {
			t.Fatal("the member is locked out")
		}
		if salts(t, s)[u.Email][0] == base64.RawStdEncoding.EncodeToString(salt) {
			t.Error("it has none yet")
		}
	}
}
