package views

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func jobOf(text, state string) store.JobRow {
	return store.JobRow{
		ID: 7, Kind: text, State: state, Attempt: 3, Forgiven: 2, RunAt: now, CreatedAt: now, StartedAt: now, FinishedAt: now,
		LastError: text, To: text,
	}
}

func jobsPage(p Page, text string) JobsPage {
	page := JobsPage{Page: p, Kind: text, State: store.Dead}
	for i, state := range states() {
		job := jobOf(text, state)
		job.ID += int64(i)
		page.List.Jobs = append(page.List.Jobs, job)
	}
	page.List.Newer, page.List.Older = true, true
	counts := map[string]int64{store.Dead: 1234, store.Available: 2}
	page.Kinds = []KindSummary{
		{Kind: text, Counts: counts, OldestDue: now.Add(-time.Hour), Lost: 3},
		{Kind: store.KindViews, Counts: map[string]int64{}},
	}
	return page
}

func TestTheSummaryOfJobsLeadsToItsLists(t *testing.T) {
	page := JobsPage{Page: testPage(English, ""), State: store.Dead, Kinds: []KindSummary{
		{Kind: store.KindVerifyMail, Counts: map[string]int64{store.Dead: 1234}, OldestDue: now.Add(-5 * time.Minute), Lost: 2},
	}}
	doc := document(t, Jobs(page))
	row := doc.Find("tr[data-kind=verify_mail]")
	dead := row.Find("td[data-state=dead] a")
	if dead.Text() != "1,234" || dead.AttrOr("href", "") != "/board/admin/jobs?kind=verify_mail&state=dead" {
		t.Errorf("dead: %q leads to %q", dead.Text(), dead.AttrOr("href", ""))
	}
	if row.Find("td[data-state=done] a").Length() != 0 || strings.TrimSpace(row.Find("td[data-state=done]").Text()) != "0" {
		t.Error("nothing is done, and yet there is a link")
	}
	if got := strings.TrimSpace(row.Find("[data-oldest]").Text()); got != "5 minutes ago" {
		t.Errorf("oldest %q", got)
	}
	if got := row.Find("[data-lost]").Text(); got != "2" {
		t.Errorf("lost %q", got)
	}
	if got := doc.Find(".chips [aria-current]").Map(func(_ int, s *goquery.Selection) string { return s.Text() }); !cmp.Equal(got, []string{"dead"}) {
		t.Errorf("the list is that of %q", got)
	}
}

func TestOnlyADeadJobHasButtons(t *testing.T) {
	for _, state := range states() {
		page := JobPage{Page: testPage(English, ""), Job: jobOf(store.KindVerifyMail, state)}
		got := document(t, Job(page)).Find("main form").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("action", "") })
		want := []string{}
		if state == store.Dead {
			want = []string{"/board/admin/jobs/7/retry", "/board/admin/jobs/7/drop"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", state, got)
		}
	}
}

func TestFiguresHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.004: "<0.01", 0.05: "0.05", 0.5: "0.5", 1: "1", 1.234: "1.23", 9.999: "10", 12.34: "12.3", 99.96: "100",
		123.4: "123", 999.6: "1,000", 1234567: "1,234,567",
	} {
		if got := digits(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		-time.Hour: "0 ms", 0: "0 ms", 1500 * time.Microsecond: "1.5 ms", 999 * time.Millisecond: "999 ms", 3500 * time.Millisecond: "3.5 s",
		119 * time.Second: "119 s", 150 * time.Second: "2.5 min", 3 * time.Hour: "3 h",
	} {
		if got := English.took(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
