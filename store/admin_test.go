package store_test

import (
	"errors"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestAdminIsMadeOnce(t *testing.T) {
	s := storetest.New(t)
	n := store.NewAdmin{Email: "chief@example.com", Nickname: "chief", Name: "Chief", Password: "a password of fifteen"}
	u, err := s.CreateAdmin(t.Context(), n)
	if err != nil || u.Role != store.Admin || !u.Moderates() {
		t.Fatalf("%+v, %v", u, err)
	}
	var invalid *store.InvalidError
	if _, err := s.CreateAdmin(t.Context(), n); !errors.As(err, &invalid) || invalid.Fields["nickname"] != store.Taken {
		t.Errorf("again: %v", err)
	}
	n.Nickname = "another"
	if _, err := s.CreateAdmin(t.Context(), n); !errors.As(err, &invalid) || invalid.Fields["email"] != store.Taken {
		t.Errorf("the same address: %v", err)
	}
	n.Email, n.Password = "second@example.com", "fourteen chars"
	if _, err := s.CreateAdmin(t.Context(), n); !errors.As(err, &invalid) || invalid.Fields["password"] != store.TooShortAdmin {
		t.Errorf("a short password: %v", err)
	}
}
