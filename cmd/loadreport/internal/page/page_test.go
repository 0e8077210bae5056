package page

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/scenario"
)

func render(t *testing.T, results ...result.Result) *goquery.Document {
	t.Helper()
	var text strings.Builder
	if err := (Report{Machine: "Here.", Results: results, Scale: 1, Dir: t.TempDir(), At: time.Now()}).Write(&text); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func measured() result.Result {
	s := scenario.Choose([]string{"load"})[0]
	return result.Result{
		Scenario: s, Took: 10 * time.Second, Workers: 88, EmptiedIn: 2 * time.Second,
		Samples: result.Samples{
			Requests: 30, P95: 442, Seconds: []result.Second{{Requests: 10}, {Requests: 20, Failed: 5}}, Failed: 5,
			Pages: []result.Page{{Name: "<b>home</b>", Requests: 30, Failed: 5}},
		},
		Queue: []result.Depth{{Mails: 4}, {At: 5 * time.Second, Mails: 8}, {At: 12 * time.Second}},
	}
}

func TestAFaultIsToldAtTheTopAndAtItsScenario(t *testing.T) {
	doc := render(t, measured())
	if got := doc.Find(".verdict.bad").Text(); got != "2 things are not as it must be" {
		t.Errorf("the verdict is %q", got)
	}
	if n := doc.Find("#load .faults li").Length(); n != 2 {
		t.Errorf("%d faults at the scenario", n)
	}
	if got := doc.Find("#load details td").First().Text(); got != "<b>home</b>" {
		t.Errorf("the name of the page is %q", got)
	}
	if n := doc.Find("#load path.failed").Length(); n != 1 {
		t.Errorf("%d lines of failed requests", n)
	}
}

func TestBarsAreDrawnToOneScale(t *testing.T) {
	alone := measured()
	alone.Scenario.WriteUp.P95, alone.Samples.P95 = 0, 110.5
	want := []barRow{
		{Name: "load", Ours: bar{"442 ms", 1}, Theirs: bar{"221 ms", .5}, Bad: true},
		{Name: "load", Ours: bar{"111 ms", .25}},
	}
	if diff := cmp.Diff(want, newBars([]result.Result{measured(), alone})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPlotsShareTheAxisOfTime(t *testing.T) {
	both := plots(measured())
	if both[0].Line != "M44.0 66.0L76.0 10.0" { // 10 and 20 of 20, at 0 and 1 of 12 s
		t.Errorf("requests: %s", both[0].Line)
	}
	if both[1].Line != "M44.0 66.0L204.0 10.0L428.0 122.0" || both[1].Over != 364 {
		t.Errorf("mails: %s, over at %v", both[1].Line, both[1].Over)
	}
	var labels []string
	for _, m := range both[1].Times {
		labels = append(labels, m.Label)
	}
	if diff := cmp.Diff([]string{"0:00", "0:02", "0:04", "0:06", "0:08", "0:10", "0:12"}, labels); diff != "" {
		t.Errorf("times: %s", diff)
	}
}

func TestTheTopOfAPlotCanBeHalved(t *testing.T) {
	for most, want := range map[float64]float64{0: 2, 2: 2, 3: 4, 11: 12, 15: 16, 95: 100, 101: 120, 5614: 6000} {
		if got := niceTop(most); got != want {
			t.Errorf("%v: %v, want %v", most, got, want)
		}
	}
}
