package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scrape is what a board said to a Prometheus.
type scrape struct {
	text     string
	families map[string]*dto.MetricFamily
}

// countedBoard starts a board that counts and returns the address of its figures.
func countedBoard(t *testing.T, data string, args ...string) (site *board, figures string) {
	t.Helper()
	at := "127.0.0.1:" + freePort(t)
	return startBoard(t, data, append(args, "--metrics-addr", at)...), "http://" + at + "/metrics"
}

func scraped(t *testing.T, address string) scrape {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d (%v): %s", address, answer.StatusCode, err, text)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatalf("what it says cannot be read: %v\n%s", err, text)
	}
	return scrape{text: string(text), families: families}
}

// value is the figure of a name and labels: of a histogram how often it
// observed. It is -1 when there is none.
func (s scrape) value(name string, labels ...string) float64 {
	for _, m := range s.families[name].GetMetric() {
		if !has(m, labels) {
			continue
		}
		switch {
		case m.Counter != nil:
			return m.Counter.GetValue()
		case m.Gauge != nil:
			return m.Gauge.GetValue()
		case m.Histogram != nil:
			return float64(m.Histogram.GetSampleCount())
		}
	}
	return -1
}

// has reports whether a metric has these labels, each a name and its value.
func has(m *dto.Metric, labels []string) bool {
	found := map[string]string{}
	for _, l := range m.GetLabel() {
		found[l.GetName()] = l.GetValue()
	}
	for i := 0; i < len(labels); i += 2 {
		if found[labels[i]] != labels[i+1] {
			return false
		}
	}
	return true
}

// sum adds up what a histogram observed.
func (s scrape) sum(name string) float64 {
	return s.families[name].GetMetric()[0].GetHistogram().GetSampleSum()
}

// becomes scrapes until a figure is as wanted.
func becomes(t *testing.T, address string, want float64, name string, labels ...string) scrape {
	t.Helper()
	var s scrape
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if s = scraped(t, address); s.value(name, labels...) == want {
			return s
		}
	}
	t.Fatalf("%s%v is %v, want %v", name, labels, s.value(name, labels...), want)
	return s
}

// knownTraffic is a sign-up, a login, a post and readings of it by people.
func knownTraffic(t *testing.T, data string, site *board, readers int) {
	t.Helper()
	makeChief(t, data)
	chief := site.browser(t, "chief")
	logIn(t, chief, "chief")
	post := writePost(t, chief, "Title", "Body")
	signUp(site.browser(t, "guest"), "minsu").redirected(t, "/auth/pending")
	for i := range readers {
		if got := site.browser(t, fmt.Sprint("reader ", i)).get(post); got.status != http.StatusOK {
			t.Fatalf("the post answers %d", got.status)
		}
	}
	countBecomes(t, chief, post, fmt.Sprint(readers))
}
