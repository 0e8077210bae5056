package result

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/cmd/loadreport/internal/board"
	"madang/cmd/loadreport/internal/scenario"
	"madang/store"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The columns of k6, in another order than ours, with a metric that is not read
// and requests to another site.
const samples = `metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags
http_reqs,100,1,,,,true,,GET,home,HTTP/1.1,load,,200,,,http://board:1/,of=page
http_req_duration,100,10,,,,true,,GET,home,HTTP/1.1,load,,200,,,http://board:1/,of=page
http_req_duration,100,20,,,,true,,POST,sign up,HTTP/1.1,load,,303,,,http://board:1/auth/signup,of=page
http_req_duration,100,5,,,,true,,GET,mailbox,HTTP/1.1,load,,200,,,http://board:12/mail,
http_req_duration,102,40,,,,false,,POST,sign up,HTTP/1.1,load,,500,,,http://board:1/auth/signup,of=page
`

func TestSamplesAreThoseOfTheBoard(t *testing.T) {
	got, err := ReadSamples(write(t, samples), "http://board:1")
	if err != nil {
		t.Fatal(err)
	}
	want := Samples{
		Requests: 3, Failed: 1, SignUps: 1, P50: 20, P95: 38, P99: 39.6,
		Seconds: []Second{{Requests: 2}, {}, {Requests: 1, Failed: 1}},
		Pages: []Page{
			{Name: "sign up", Requests: 2, Failed: 1, P50: 30, P95: 39, P99: 39.8},
			{Name: "home", Requests: 1, P50: 10, P95: 10, P99: 10},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Peak() != 2 {
		t.Errorf("peak %d", got.Peak())
	}
}

func TestAFileWithoutAColumnIsNamed(t *testing.T) {
	_, err := ReadSamples(write(t, "metric_name,timestamp\n"), "http://board:1")
	if err == nil || !strings.Contains(err.Error(), "no column metric_value") {
		t.Errorf("%v", err)
	}
}

func TestASummaryTellsWhatFailed(t *testing.T) {
	got, err := ReadSummary(write(t, `{"metrics": {
		"vus": {"value": 1, "min": 1, "max": 20}, "http_req_failed": {"value": 0.1, "passes": 2, "fails": 18},
		"views_counted": {"value": 999, "min": 999, "max": 999},
		"checks": {"value": 0.9, "passes": 9, "fails": 1, "thresholds": {"rate==1": true, "rate>0": false}}},
		"root_group": {"checks": {"good": {"fails": 0}}, "groups": {"g": {"checks": {"bad": {"fails": 3}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{Users: 20, Failed: 2, Counted: 999, WrongChecks: []string{"bad (3 times)"}, Broken: []string{"checks: rate==1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// well is a result with nothing to complain of.
func well() Result {
	return Result{
		Scenario: scenario.Scenario{
			Name: "stress", Users: 100, WriteUp: scenario.WriteUp{P95: 721 * time.Millisecond},
			PageWithin: 200 * time.Millisecond, Readers: 1000,
		},
		Took: time.Minute, Summary: Summary{Counted: 1000},
		Samples: Samples{Requests: 100, SignUps: 10, P95: 99, Pages: []Page{{Name: "home", P95: 199}}},
		Mails:   9, Books: board.Books{Mails: store.SignupMails{Signups: 10, Done: 9, Dead: 1}},
		Log: board.Log{SignUps: 10},
	}
}

func TestEveryFaultIsNamed(t *testing.T) {
	if faults := well().Faults(); faults != nil {
		t.Errorf("nothing is wrong: %q", faults)
	}
	for words, spoil := range map[string]func(*Result){
		"sent no request":                   func(r *Result) { r.Samples.Requests = 0 },
		"1 of 100 requests failed":          func(r *Result) { r.Samples.Failed = 1 },
		"2 of 100 requests failed":          func(r *Result) { r.Log.Errors = 2 },
		"p95 is 721 ms, the write-up's was": func(r *Result) { r.Samples.P95 = 721 },
		"1 mails are lost":                  func(r *Result) { r.Samples.SignUps = 11 },
		"2 mails are lost":                  func(r *Result) { r.Books.Mails.Dead, r.Books.Mails.Signups = 0, 11 },
		"3 mails are lost":                  func(r *Result) { r.Mails, r.Twice = 8, 2 },
		"4 jobs do not come to an end":      func(r *Result) { r.Left = 4 },
		"2 mails went out twice":            func(r *Result) { r.Mails, r.Twice = 11, 2 },
		"999 views were counted, not 1000":  func(r *Result) { r.Counted = 999 },
		`page "home" is 200 ms`:             func(r *Result) { r.Samples.Pages[0].P95 = 200 },
		"checks failed: bad":                func(r *Result) { r.WrongChecks = []string{"bad"} },
		"are broken: checks: rate==1":       func(r *Result) { r.Broken = []string{"checks: rate==1"} },
		"of the machine":                    func(r *Result) { r.RunnerCPU = time.Hour },
		"contradicts itself: likes: 1":      func(r *Result) { r.Books.Contradictions = []string{"likes: 1"} },
	} {
		r := well()
		spoil(&r)
		if faults := strings.Join(r.Faults(), "\n"); !strings.Contains(faults, words) {
			t.Errorf("%q is not said in %q", words, faults)
		}
	}
}

func TestSuccessIsAShareOfTheRequests(t *testing.T) {
	r := well()
	r.Samples.Failed = 25
	if got := r.Success(); got != .75 {
		t.Errorf("%v", got)
	}
	if got := (Result{}).Success(); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
