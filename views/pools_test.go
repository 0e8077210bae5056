package views

import (
	"strings"
	"testing"
	"time"

	"madang/store"
)

// minutes is an hour of which the first half is not known.
func minutes(load Load) []Load {
	all := make([]Load, 60)
	for i := range all {
		if i >= 30 {
			all[i] = load
			all[i].From = now.Add(time.Duration(i-59) * time.Minute)
		}
	}
	return all
}

// flow is so many jobs in a minute of which each takes so long.
func flow(jobs int64, each time.Duration) Load {
	return Load{
		From: now.Add(-time.Minute), Lasted: time.Minute, Arrived: jobs, Done: jobs,
		Worked: time.Duration(jobs) * each, Spent: time.Duration(jobs) * each, P50: each, P95: each,
	}
}

func poolsPage(p Page, text string) PoolsPage {
	busy := flow(120, time.Second)
	kinds := []KindFigures{{Kind: text, Last: busy, Hour: busy}, {Kind: store.KindViews}}
	return PoolsPage{
		Page: p, Backlog: map[string]int64{store.KindViews: 5},
		Pools: []PoolFigures{
			{Name: "mail", Workers: 5, Busy: 2, Since: now, Last: busy, Peak: busy, Hour: busy, Kinds: kinds, Minutes: minutes(busy)},
			{Name: "views", Workers: 2, Since: now, Minutes: minutes(Load{Lasted: time.Minute})},
		},
	}
}

func TestThePageSaysHowManyWorkersAreNeeded(t *testing.T) {
	for _, c := range []struct {
		load    Load
		workers int
		verdict string
		needed  string
		words   string
	}{
		{flow(0, 0), 5, "idle", "1", "No job has arrived in the last minute."},
		{Load{Lasted: time.Minute, Arrived: 5}, 5, "unknown", "", "but none has ended"},
		{flow(60, 500*time.Millisecond), 5, "enough", "1", "1 jobs arrived in a second, and each took 500 ms: arrivals × time = 0.5 workers, rounded up 1."},
		{flow(240, time.Second), 5, "enough", "4", "20% of the time stays free."},
		{flow(264, time.Second), 5, "tight", "5", "only 12% of the time stays free"},
		{flow(600, time.Second), 5, "short", "10", "jobs pile up"},
	} {
		figures := PoolFigures{Name: "mail", Workers: c.workers, Last: c.load, Peak: c.load, Hour: c.load, Minutes: minutes(c.load)}
		doc := document(t, Pools(PoolsPage{Page: testPage(English, ""), Pools: []PoolFigures{figures}}))
		verdict := doc.Find("[data-pool=mail] .verdict")
		if got := verdict.AttrOr("data-verdict", ""); got != c.verdict || !strings.Contains(verdict.Text(), c.words) {
			t.Errorf("%+v: %s, %q", c.load, got, verdict.Text())
		}
		if got := doc.Find("[data-figure=needed]").AttrOr("value", ""); got != c.needed {
			t.Errorf("%+v: %s needed, want %s", c.load, got, c.needed)
		}
	}
}

func TestThePageSaysWhatTheWorkersCanDo(t *testing.T) {
	hour := flow(60, 500*time.Millisecond)
	figures := PoolFigures{Name: "views", Workers: 2, Last: hour, Peak: hour, Hour: hour, Minutes: minutes(hour)}
	words := document(t, Pools(PoolsPage{Page: testPage(English, ""), Pools: []PoolFigures{figures}})).Find(".formula").Text()
	if !strings.Contains(words, "TPS = workers / time") || !strings.Contains(words, ": 2 / 500 ms = at most 4 jobs in a second") {
		t.Errorf("the formula is %q", words)
	}
}

func TestAPlotDrawsTheMinutesThatAreKnown(t *testing.T) {
	page := poolsPage(testPage(English, ""), store.KindVerifyMail)
	doc := document(t, Pools(page))
	plots := doc.Find("[data-pool=mail] figure.plot")
	if plots.Length() != 3 {
		t.Fatalf("%d plots", plots.Length())
	}
	path := plots.First().Find("path.first").AttrOr("d", "")
	if !strings.HasPrefix(path, "M0.0 3.0L0.0 3.0L20.7 3.0") || !strings.HasSuffix(path, "L600.0 3.0") || strings.Count(path, "L") != 30 {
		t.Errorf("the line is %q", path)
	}
	label := plots.First().Find("svg[role=img]").AttrOr("aria-label", "")
	if label != "Arrivals and throughput. Throughput: now 2/s, at most 2/s. Arrivals: now 2/s, at most 2/s." {
		t.Errorf("in words it says %q", label)
	}
	if rows := doc.Find("[data-pool=mail] table.minutes tbody tr"); rows.Length() != 30 || !strings.Contains(rows.First().Text(), "15:04") {
		t.Errorf("the table has %d rows, the first is %q", rows.Length(), rows.First().Text())
	}
}

func TestAPlotOfAYoungProcessShowsItsFirstMinute(t *testing.T) {
	figures := PoolFigures{Minutes: minutes(flow(60, time.Second))}
	for i := range 59 {
		figures.Minutes[i].Lasted = 0
	}
	if got := figures.path(Load.Arrivals, 1); got != "M566.7 3.0L600.0 3.0" {
		t.Errorf("the line is %q", got)
	}
}

func TestTheTopOfAPlotIsARoundNumber(t *testing.T) {
	for most, want := range map[float64]float64{0: 1, .07: .08, .1: .1, .11: .15, 2: 2, 2.1: 3, 7: 8, 8.1: 10, 1234: 1500} {
		if got := niceTop(most); got < most || got > want*1.0001 || got < want*.9999 {
			t.Errorf("%v: %v, want %v", most, got, want)
		}
	}
}
