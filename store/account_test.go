package store_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

const otherPassword = "another horse, 다른 말"

func reentry(u store.User, current string) store.Reentry {
	return store.Reentry{UserID: u.ID, Current: current, Client: netip.MustParseAddr("192.0.2.7")}
}

// problem is what is wrong with a field, by an error.
func problem(err error, field string) store.Problem {
	if invalid, ok := errors.AsType[*store.InvalidError](err); ok {
		return invalid.Fields[field]
	}
	return ""
}

func TestOfTwoPasswordsSetAtOnceOneIsTheMembers(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(8, func(int) string {
		_, err := s.ChangePassword(ctx, reentry(u, storetest.Password), otherPassword)
		if problem(err, "current") == store.Wrong {
			return "refused"
		}
		return in(err)
	})
	if ends["done"] != 1 || ends["refused"] != 7 {
		t.Errorf("they ended so: %v", ends)
	}
}
