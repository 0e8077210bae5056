package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"madang/store/storetest"
)

func TestEndToEndFiguresAreExactAfterKnownTraffic(t *testing.T) {
	data := newData(t)
	site, figures := countedBoard(t, data, "--mail-workers", "3")
	const readers = 12
	knownTraffic(t, data, site, readers)
	becomes(t, figures, 1, "madang_schedule_runs_total", "task", "cleanup", "result", "good")
	becomes(t, figures, 1, "madang_job_attempts_total", "kind", "verify_mail", "outcome", "done")
	s := becomes(t, figures, 1, "madang_jobs", "kind", "verify_mail", "state", "done")
	for _, c := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{1, "madang_http_requests_total", []string{"method", "POST", "route", "/auth/login", "code", "303"}},
		{1, "madang_http_requests_total", []string{"method", "POST", "route", "/auth/signup", "code", "303"}},
		{1, "madang_http_requests_total", []string{"method", "POST", "route", "/posts", "code", "303"}},
		{1, "madang_http_request_duration_seconds", []string{"method", "POST", "route", "/posts"}},
		{2, "madang_hash_wait_seconds", nil},
		{0, "madang_hash_refused_total", nil},
		{0, "madang_hash_slots_in_use", nil},
		{0, "madang_hash_slots_waiting", nil},
		{1, "madang_jobs_enqueued_total", []string{"kind", "verify_mail"}},
		{1, "madang_job_duration_seconds", []string{"kind", "verify_mail"}},
		{0, "madang_job_attempts_total", []string{"kind", "verify_mail", "outcome", "dead"}},
		{0, "madang_job_leases_lost_total", []string{"kind", "verify_mail"}},
		{0, "madang_jobs", []string{"kind", "verify_mail", "state", "dead"}},
		{0, "madang_jobs_oldest_due_age_seconds", []string{"kind", "verify_mail"}},
		{0, "madang_database_busy_total", nil},
		{0, "madang_views_uncounted_total", nil},
		{1, "madang_database_up", nil},
		{3, "madang_pool_workers", []string{"pool", "mail"}},
		{1, "madang_schedule_runs_total", []string{"task", "cleanup", "result", "good"}},
		{1, "madang_build_info", nil},
	} {
		if got := s.value(c.name, c.labels...); got != c.want {
			t.Errorf("%s%v is %v, want %v", c.name, c.labels, got, c.want)
		}
	}
	if got := s.sum("madang_views_batch_events"); got != readers {
		t.Errorf("batches hold %v readings, want %d", got, readers)
	}
	commits, writes := s.value("madang_database_commit_duration_seconds"), s.sum("madang_database_commit_writes")
	if commits < 5 || writes < commits {
		t.Errorf("%v commits of %v writes", commits, writes)
	}
	if age := time.Since(time.UnixMilli(int64(1000 * s.value("madang_schedule_last_success_timestamp_seconds", "task", "cleanup")))); age < -time.Second || age > time.Minute {
		t.Errorf("the last clean-up was %s ago", age)
	}
}

func TestEndToEndFiguresAreNamedAsIsUsual(t *testing.T) {
	data := newData(t)
	site, figures := countedBoard(t, data)
	knownTraffic(t, data, site, 1)
	s := scraped(t, figures)
	problems, err := promlint.New(strings.NewReader(s.text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if _, ok := s.families["madang_database_wal_bytes"]; ok == storetest.OnPostgres() {
		t.Errorf("says the length of a log beside the database: %t", ok)
	}
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes"} {
		if s.value(name) <= 0 {
			t.Errorf("%s is %v", name, s.value(name))
		}
	}
}

func TestEndToEndUnknownAddressesAreOneFigure(t *testing.T) {
	site, figures := countedBoard(t, newData(t))
	visitor := site.browser(t, "visitor")
	before := visitAll(t, visitor, figures, 1)
	after := visitAll(t, visitor, figures, 2)
	if before != after {
		t.Errorf("%d series, then %d", before, after)
	}
	s := scraped(t, figures)
	if got := s.value("madang_http_requests_total", "method", "GET", "route", "other", "code", "404"); got != 40 {
		t.Errorf("%v unknown addresses, want 40", got)
	}
	if strings.Contains(s.text, "secret") || strings.Contains(s.text, "BREW") {
		t.Error("what a visitor sent stands among the figures")
	}
}

// visitAll asks for addresses that differ in each round and returns the number
// of series there are then.
func visitAll(t *testing.T, visitor *browser, figures string, round int) (series int) {
	t.Helper()
	for i := range 20 {
		secret := fmt.Sprintf("secret%d-%d", round, i)
		visitor.get("/" + secret + "/x?y=" + secret)
		visitor.get("/posts/" + secret)
		visitor.get("/users/" + secret)
		visitor.send(fmt.Sprintf("BREW%dx%d", round, i), "/", nil)
	}
	for _, family := range scraped(t, figures).families {
		if strings.HasPrefix(family.GetName(), "madang_http_") {
			series += len(family.GetMetric())
		}
	}
	return series
}

func TestEndToEndFiguresAreOnTheirOwnListenerAlone(t *testing.T) {
	site, figures := countedBoard(t, newData(t))
	if got := site.browser(t, "visitor").get("/metrics"); got.status != http.StatusNotFound {
		t.Errorf("the board itself answers /metrics with %d", got.status)
	}
	for address, want := range map[string]int{figures: http.StatusMethodNotAllowed, strings.TrimSuffix(figures, "/metrics"): http.StatusNotFound} {
		method := http.MethodGet
		if address == figures {
			method = http.MethodPost
		}
		r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s %s answers %d, want %d", method, address, answer.StatusCode, want)
		}
	}
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	if r, err := http.Get(figures); err == nil { //nolint:noctx // refused at once
		r.Body.Close()
		t.Error("somebody answers after the end")
	}
}

func TestFiguresNobodyCanAskForStopTheStart(t *testing.T) {
	taken, _ := countedBoard(t, newData(t))
	at := strings.TrimPrefix(taken.url, "http://")
	for args, want := range map[string]string{
		at:  "--metrics-addr (MADANG_METRICS_ADDR): listen tcp " + at + ": bind: address already in use",
		"x": `--metrics-addr (MADANG_METRICS_ADDR): must be HOST:PORT such as localhost:8080, not "x"`,
	} {
		_, err := runCommand(t, "", serveArgs(newData(t), "--metrics-addr", args)...)
		if err == nil || oneLine(err) != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
