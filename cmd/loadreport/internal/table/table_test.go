package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/scenario"
	"madang/store"
)

func results() []result.Result {
	load := result.Result{
		Scenario: scenario.Scenario{Name: "load", WriteUp: scenario.WriteUp{P95: 221 * time.Millisecond}},
		Summary:  result.Summary{Users: 50}, Took: time.Minute, Mails: 1234, Workers: 88, EmptiedIn: 3600 * time.Millisecond,
		Samples: result.Samples{Requests: 12345, P50: 3.14, P95: 98.7, P99: 123, Seconds: []result.Second{{Requests: 140}, {Requests: 7}}},
	}
	load.Books.Mails = store.SignupMails{Signups: 1235, Done: 1234}
	views := result.Result{
		Scenario: scenario.Scenario{Name: "views", Readers: 1000, Reloads: 100},
		Summary:  result.Summary{Users: 50, Counted: 1000, Failed: 1}, Samples: result.Samples{Requests: 100000},
	}
	views.Log.Refused = 2000
	return []result.Result{load, views}
}

func TestTheTableCanBeReadAsItIs(t *testing.T) {
	want := `Where.

| scenario | users | requests | success | p50, ms | p95, ms | write-up's p95 | p99, ms | peak requests/s |
|----------|------:|---------:|--------:|--------:|--------:|---------------:|--------:|----------------:|
| load     |    50 |   12,345 |   100 % |     3.1 |      99 |            221 |     123 |             140 |
| views    |    50 |  100,000 | 99.99 % |     0.0 |     0.0 |              – |     0.0 |               0 |

The write-up's peak was 64 requests/s, and none of its requests failed.

| scenario | mails sent | twice | lost | mail workers | queue empty after | CPU of the board | CPU of the runner |
|----------|-----------:|------:|-----:|-------------:|------------------:|-----------------:|------------------:|
| load     |      1,234 |     0 |    1 |           88 |             3.6 s |                – |                 – |
| views    |          0 |     0 |    0 |            0 |             0.0 s |                – |                 – |

1,000 readers reloaded one post 100 times each: 1,000 views were counted.

2,000 requests of views were politely refused.
`
	if diff := cmp.Diff(want, Markdown("Where.", results())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNumbersHaveCommas(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -123456: "-123,456"} {
		if got := Count(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestOnlyTheTableOfAFileChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("# Above\n<!-- make load -->\nold\n<!-- /make load -->\nbelow\n")
	for range 2 { // the second time changes nothing
		if err := Replace(path, "new\n\ntable\n"); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("# Above\n<!-- make load -->\n\n"+intro+"\nnew\n\ntable\n\n<!-- /make load -->\nbelow\n", string(got)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	for text, words := range map[string]string{
		"nothing": "<!-- make load --> must be there once",
		"<!-- make load -->\n<!-- make load -->\n<!-- /make load -->\n": "must be there once",
		"<!-- /make load -->\n<!-- make load -->\n":                     "<!-- /make load --> must be there, behind",
	} {
		put(text)
		if err := Check(path); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", text, err)
		}
		if err := Replace(path, "x"); err == nil {
			t.Errorf("%q was changed", text)
		}
	}
}
