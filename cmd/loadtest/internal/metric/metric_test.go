package metric_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"madang/cmd/loadtest/internal/metric"
)

func TestPercentileInterpolatesBetweenRanks(t *testing.T) {
	sorted := []float64{10, 20, 30, 40}
	for p, want := range map[float64]float64{0: 10, 0.5: 25, 0.9: 37, 0.95: 38.5, 1: 40} {
		if got := metric.Percentile(sorted, p); math.Abs(got-want) > 1e-9 {
			t.Errorf("p(%v) = %v, want %v", p*100, got, want)
		}
	}
	if got := metric.Percentile(nil, 0.95); got != 0 {
		t.Errorf("p(95) of nothing = %v", got)
	}
	if got := metric.Percentile([]float64{7}, 0.95); got != 7 {
		t.Errorf("p(95) of one value = %v", got)
	}
}

func TestPercentilesStayExactWhileValuesCome(t *testing.T) {
	m := metric.NewRegistry().Metric("http_req_duration")
	var all []float64
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		v := math.Floor(random.Float64() * 100)
		m.Add(v, nil)
		all = append(all, v)
		if random.IntN(3) == 0 {
			got, _ := m.Stat("p(95)", time.Second)
			if want := metric.Percentile(slices.Sorted(slices.Values(all)), 0.95); got != want {
				t.Fatalf("after %d values p(95) = %v, want %v", len(all), got, want)
			}
		}
	}
}

func TestThresholdsAreJudgedByKindAndTags(t *testing.T) {
	r := metric.NewRegistry()
	for key, source := range map[string]string{
		"http_req_duration":            "p(95)<100",
		"http_req_duration{name:home}": "max <= 50",
		"http_req_failed":              "rate==0.5",
		"http_reqs":                    "count===4",
		"vus":                          "value!=3",
		"iterations":                   "rate>=2",
	} {
		threshold, err := metric.NewThreshold(source)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Promise(key, threshold); err != nil {
			t.Fatal(err)
		}
	}
	for i, ms := range []float64{50, 60, 70, 200} {
		name := "other"
		if i == 0 {
			name = "home"
		}
		r.Metric("http_req_duration").Add(ms, metric.Tags{"name": name})
		r.Metric("http_req_failed").Add(float64(i%2), nil)
		r.Metric("http_reqs").Add(1, nil)
	}
	r.Metric("vus").Add(3, nil)
	r.Metric("iterations").Add(4, nil)
	broken, abort := r.Judge(2*time.Second, true)
	if got := strings.Join(broken, "; "); got != "http_req_duration: p(95)<100; vus: value!=3" || abort {
		t.Errorf("broken: %s, abort %v", got, abort)
	}
}

func TestThresholdsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, source := range []string{"p(95)", "p95<3", "mean<3", "avg<<3", "avg<x", ""} {
		if _, err := metric.NewThreshold(source); err == nil {
			t.Errorf("%q was taken", source)
		}
	}
	rate, _ := metric.NewThreshold("rate<1")
	for key, want := range map[string]string{
		"nothing": "no metric", "http_req_duration": "has no rate",
		"http_req_failed{a": "closing brace", "http_req_failed{a}": "name:value",
	} {
		if err := metric.NewRegistry().Promise(key, rate); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", key, err, want)
		}
	}
}

func TestAbortWaitsForItsDelay(t *testing.T) {
	r := metric.NewRegistry()
	threshold, _ := metric.NewThreshold("count<1")
	threshold.Abort, threshold.Delay = true, 2*time.Second
	if err := r.Promise("http_reqs", threshold); err != nil {
		t.Fatal(err)
	}
	r.Metric("http_reqs").Add(1, nil)
	if _, abort := r.Judge(time.Second, false); abort {
		t.Error("aborted before the delay")
	}
	if _, abort := r.Judge(2*time.Second, false); !abort {
		t.Error("not aborted after the delay")
	}
}

func TestMetricNamesKeepTheirKind(t *testing.T) {
	r := metric.NewRegistry()
	if _, err := r.Define("mine", metric.Counter, "default"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Define("mine", metric.Trend, "default"); err == nil {
		t.Error("a counter became a trend")
	}
	if _, err := r.Define("my own", metric.Trend, "default"); err == nil {
		t.Error("a name with a space was taken")
	}
}

func TestGroupsAndChecksAreTheSameAgain(t *testing.T) {
	root := &metric.Group{}
	root.Group("a").Check("ok", true)
	root.Group("a").Check("ok", false)
	if n := len(root.Groups()); n != 1 {
		t.Fatalf("%d groups", n)
	}
	c := root.Groups()[0].Checks()[0]
	if c.Passes != 1 || c.Fails != 1 || c.Path != "::a::ok" {
		t.Errorf("%+v", c)
	}
	if metric.ID("") != "d41d8cd98f00b204e9800998ecf8427e" {
		t.Error("k6 names the root by the md5 of nothing")
	}
}

func TestTimelineCountsBySecondAndName(t *testing.T) {
	l, start := metric.NewTimeline(), time.Now()
	l.Request(start, "setup", 1, false)
	l.Start(start)
	l.Users(start.Add(1500*time.Millisecond), 3)
	for i := range 300 {
		l.Request(start.Add(2*time.Second), "/"+strings.Repeat("x", i), float64(i), i == 0)
	}
	seconds := l.Seconds()
	if len(seconds) != 3 || seconds[1].Users != 3 || seconds[2].Requests != 300 || seconds[2].Failed != 1 {
		t.Errorf("%d seconds: %+v", len(seconds), seconds[1].Users)
	}
	if got := seconds[2].Percentile(0.5); got != 149.5 {
		t.Errorf("median %v", got)
	}
	if all := l.Addresses(); len(all) != 201 || all[0].Name != "(others)" || all[0].Requests != 100 {
		t.Errorf("%d addresses, first %q with %d", len(all), all[0].Name, all[0].Requests)
	}
}
