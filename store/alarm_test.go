package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestAnAlarmStandsFromItsFirstSightUntilItIsCleared(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	want := func(alarms ...store.Alarm) {
		t.Helper()
		got, err := s.Alarms(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(alarms, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	raise := func(reason string) {
		t.Helper()
		if err := s.RaiseAlarm(t.Context(), store.Alarm{Kind: store.AlarmMail, Since: clock.Now(), Reason: reason}); err != nil {
			t.Fatal(err)
		}
	}
	began := clock.Now()
	want()
	raise("refused")
	clock.Advance(time.Minute)
	raise("535 wrong password") // also by a process that was started meanwhile
	want(store.Alarm{Kind: store.AlarmMail, Since: began, Reason: "535 wrong password"})

	if err := s.ClearAlarm(t.Context(), store.AlarmMail); err != nil {
		t.Fatal(err)
	}
	want()
}

func TestAnAlarmOfAProcessThatIsGoneFadesAway(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	raise := func() {
		t.Helper()
		if err := s.RaiseAlarm(t.Context(), store.Alarm{Kind: store.AlarmMail, Since: clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	raise()
	clock.Advance(5 * time.Minute)
	if got, err := s.Alarms(t.Context()); len(got) != 0 || err != nil {
		t.Errorf("stands still: %v (%v)", got, err)
	}
	raise() // hours later it is another fault
	if got, err := s.Alarms(t.Context()); err != nil || len(got) != 1 || !got[0].Since.Equal(clock.Now()) {
		t.Errorf("stands as %v (%v)", got, err)
	}
}
