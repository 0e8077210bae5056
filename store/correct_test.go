package store_test

import (
	"errors"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestCorrectionMovesTheSignUp(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("typo@example.com"))
	old := send(t, s)
	err := s.CorrectEmail(t.Context(), store.Correction{SignupID: id, Email: "right@bücher.example"})
	if err != nil {
		t.Fatal(err)
	}
	m := send(t, s)
	if m.To != "right@xn--bcher-kva.example" {
		t.Errorf("mailed to %s", m.To)
	}
	if _, err := s.LookToken(t.Context(), old.Token); !errors.Is(err, store.ErrTokenReplaced) {
		t.Errorf("the old link: %v", err)
	}
	if _, err := s.VerifyCode(t.Context(), id, old.Code, ""); !errors.Is(err, store.ErrCodeWrong) {
		t.Errorf("the old code: %v", err)
	}
	u, err := s.VerifyCode(t.Context(), id, m.Code, "")
	if err != nil || u.Email != "right@bücher.example" {
		t.Errorf("%+v, %v", u, err)
	}
	if err := s.CorrectEmail(t.Context(), store.Correction{SignupID: id, Email: "late@example.com"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after the proof: %v", err)
	}
}
