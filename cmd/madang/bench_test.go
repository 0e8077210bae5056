package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"madang/store/storetest"
)

func bench(t *testing.T, args ...string) string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"bench"}, args...), nil, streams{in: strings.NewReader(""), out: &out, err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBenchOfViewsCountsEachReaderOnce(t *testing.T) {
	var report struct {
		Runs []struct {
			Workers   int
			PerSecond int64 `json:"events_per_second"`
			Counted   int64
			Expected  int64
		}
	}
	out := bench(t, "views", "--events", "2050", "--readers", "100", "--workers", "1,8", "--repeat", "2", "--json")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(report.Runs) != 4 {
		t.Errorf("%d runs, want 4", len(report.Runs))
	}
	for _, r := range report.Runs {
		if r.Counted != 100 || r.Expected != 100 || r.PerSecond <= 0 {
			t.Errorf("run %+v, want 100 counted", r)
		}
	}
	table := bench(t, "views", "--events", "50", "--readers", "100", "--workers", "2", "--repeat", "1", "--synchronous", "normal")
	if !strings.Contains(table, "| 50 ") {
		t.Errorf("fewer events than readers:\n%s", table)
	}
}

func TestBenchOnPostgresLeavesNothingBehind(t *testing.T) {
	address := storetest.Postgres(t).Database(t)
	out := bench(t, "views", "--database", address, "--events", "500", "--readers", "100", "--workers", "4", "--repeat", "1", "--json")
	if !strings.Contains(out, `"counted":100`) {
		t.Errorf("printed %s", out)
	}
	bench(t, "signup", "--database", address, "--smtp-delay", "1ms", "--signups", "1", "--json")
	left := storetest.Rows(t, address, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'madang%'
		UNION ALL SELECT 'row' FROM users UNION ALL SELECT 'row' FROM jobs`)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBenchOfSignupsFindsTheOutboxFaster(t *testing.T) {
	var times struct {
		InRequest float64 `json:"in_request_ms"`
		Outbox    float64 `json:"outbox_ms"`
		Ratio     float64
	}
	out := bench(t, "signup", "--smtp-delay", "1s", "--signups", "1", "--json")
	if err := json.Unmarshal([]byte(out), &times); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if times.InRequest < 1000 || times.Outbox <= 0 || times.Ratio <= 0 {
		t.Errorf("times %+v of a server that takes a second", times)
	}
}
