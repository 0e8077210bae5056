package jobs

import (
	"context"
	"testing"

	"madang/store/storetest"
)

func TestTheIndexOfTheSearchIsFilledByTheClock(t *testing.T) {
	s := storetest.New(t)
	storetest.Post(t, s, storetest.Member(t, s))
	n := newNight(t, s, "UTC", "0 0 3 * * *")
	for want, run := range map[string]func(context.Context) (string, error){
		"nothing to do": n.schedule.fillSearch, "texts: 0": n.schedule.checkSearch,
	} {
		if got, err := run(t.Context()); got != want || err != nil {
			t.Errorf("%q (%v), want %q", got, err, want)
		}
	}
}
