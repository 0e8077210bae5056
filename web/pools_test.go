package web

import (
	"net/http"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

func TestTheFiguresOfThePoolsAreShown(t *testing.T) {
	b := newBoard(t)
	admin := b.as(storetest.Admin(t, b.store))
	admin.get("/admin/pools").wants(http.StatusOK).has("No pool runs in this process.")
	storetest.Signup(t, b.store)
	storetest.Signup(t, b.store)
	load := views.Load{
		From: b.clock.Now().Add(-time.Minute), Lasted: time.Minute, Arrived: 180, Done: 120, Failed: 0,
		Worked: 4 * time.Minute, Spent: 4 * time.Minute, P50: 2 * time.Second, P95: 3 * time.Second,
	}
	*b.pools = pools{{
		Name: "mail", Workers: 5, Busy: 4, Since: load.From, Last: load, Peak: load, Hour: load,
		Kinds:   []views.KindFigures{{Kind: store.KindVerifyMail, Last: load, Hour: load}},
		Minutes: []views.Load{load},
	}}
	page := admin.get("/admin/pools").wants(http.StatusOK)
	for figure, want := range map[string]string{"needed": "6", "workers": "5", "busy": "4", "backlog": "2"} {
		if got := page.attr("[data-pool=mail] [data-figure="+figure+"]", "value"); got != want {
			t.Errorf("%s: %s, want %s", figure, got, want)
		}
	}
	for row, want := range map[string]string{
		"arrivals": "3.0000", "throughput": "2.0000", "mean": "2.0000", "p50": "2.0000", "p95": "3.0000", "busy": "4.0000", "asked": "6.0000",
	} {
		if got := page.attr("[data-pool=mail] tr[data-row="+row+"] data", "value"); got != want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
	page.has("TPS = workers / time").has("5 / 2 s = at most 2.5 jobs in a second")
}
