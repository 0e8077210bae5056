package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func wrong(code string) string {
	if code[0] == '0' {
		return "1" + code[1:]
	}
	return "0" + code[1:]
}

func TestCodeIsTakenHoweverItIsTyped(t *testing.T) {
	for _, shape := range []string{"%[1]s%[2]s", " %[1]s %[2]s ", "%[1]s-%[2]s", "\t%[1]s\u00a0%[2]s\u200b", "%[1]s–%[2]s"} {
		t.Run(shape, func(t *testing.T) {
			s := storetest.New(t)
			id := signUp(t, s, person("a@example.com"))
			code := send(t, s).Code
			if _, err := s.VerifyCode(t.Context(), id, fmt.Sprintf(shape, code[:3], code[3:]), ""); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("full width", func(t *testing.T) {
		s := storetest.New(t)
		id := signUp(t, s, person("a@example.com"))
		wide := strings.Map(func(r rune) rune { return r - '0' + '０' }, send(t, s).Code)
		if _, err := s.VerifyCode(t.Context(), id, wide, ""); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatIsNoCodeIsNoTry(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	code := send(t, s).Code
	for _, typed := range []string{"", "12345", "1234567", "abcdef", "12345a", strings.Repeat("1", 5000), "\xff\xfe", "١٢٣٤٥٦"} {
		if _, err := s.VerifyCode(t.Context(), id, typed, ""); !errors.Is(err, store.ErrCodeFormat) {
			t.Errorf("%.20q: %v", typed, err)
		}
	}
	if _, err := s.VerifyCode(t.Context(), id, code, ""); err != nil {
		t.Errorf("the right one afterwards: %v", err)
	}
}

func TestFiveWrongCodesKillTheCodeAndNotTheLink(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	m := send(t, s)
	for try := range 5 {
		want := store.ErrCodeWrong
		if try == 4 {
			want = store.ErrCodeDead
		}
		if _, err := s.VerifyCode(t.Context(), id, wrong(m.Code), ""); !errors.Is(err, want) {
			t.Errorf("try %d: %v, want %v", try+1, err, want)
		}
	}
	if _, err := s.VerifyCode(t.Context(), id, m.Code, ""); !errors.Is(err, store.ErrCodeDead) {
		t.Errorf("the right code: %v", err)
	}
	if _, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, SignupID: id}); err != nil {
		t.Errorf("the link: %v", err)
	}
}

func TestFourWrongCodesLeaveTheRightOneGood(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	code := send(t, s).Code
	for range 4 {
		_, _ = s.VerifyCode(t.Context(), id, wrong(code), "")
	}
	if _, err := s.VerifyCode(t.Context(), id, code, ""); err != nil {
		t.Error(err)
	}
}

func TestParallelWrongCodesGetNoMoreThanFiveTries(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	code := send(t, s).Code
	var wg sync.WaitGroup
	var mu sync.Mutex
	answers := map[error]int{}
	for range 50 {
		wg.Go(func() {
			_, err := s.VerifyCode(context.WithoutCancel(t.Context()), id, wrong(code), "")
			mu.Lock()
			defer mu.Unlock()
			for _, e := range []error{store.ErrCodeWrong, store.ErrCodeDead} {
				if errors.Is(err, e) {
					answers[e]++
				}
			}
		})
	}
	wg.Wait()
	if answers[store.ErrCodeWrong] != 4 || answers[store.ErrCodeDead] != 46 {
		t.Errorf("%v", answers)
	}
}

func TestCodeOfSomebodyElseIsWrong(t *testing.T) {
	s := storetest.New(t)
	a, b := signUp(t, s, person("a@example.com")), signUp(t, s, person("b@example.com"))
	codeA := storetest.Code(t, s, a)
	if _, err := s.VerifyCode(t.Context(), b, codeA, ""); !errors.Is(err, store.ErrCodeWrong) {
		t.Error(err)
	}
}
