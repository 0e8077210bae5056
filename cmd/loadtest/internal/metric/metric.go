package metric

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tags say where a value was measured.
type Tags map[string]string

// Metric is one named series of values, or the part of one that carries some tags.
type Metric struct {
	Name     string
	Kind     Kind
	Contains string // "default", "time" or "data"

	mu         sync.Mutex
	sink       sink
	only       Tags
	parts      []*Metric
	thresholds []*Threshold
}

// Add records a value, here and in every part whose tags it carries.
func (m *Metric) Add(v float64, tags Tags) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sink.add(v)
	for _, part := range m.parts {
		if tags.hold(part.only) {
			part.mu.Lock()
			part.sink.add(v)
			part.mu.Unlock()
		}
	}
}

func (t Tags) hold(only Tags) bool {
	for name, value := range only {
		if t[name] != value {
			return false
		}
	}
	return true
}

// Stat is one figure of the metric, such as "p(95)" or "rate".
func (m *Metric) Stat(name string, elapsed time.Duration) (float64, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sink.stat(name, elapsed)
}

// Stats are the figures a summary shows; trend names those of a trend.
func (m *Metric) Stats(trend []string, elapsed time.Duration) map[string]float64 {
	names := map[Kind][]string{
		Counter: {"count", "rate"}, Gauge: {"value", "min", "max"},
		Rate: {"rate", "passes", "fails"}, Trend: trend,
	}[m.Kind]
	stats := make(map[string]float64, len(names))
	for _, name := range names {
		if v, ok := m.Stat(name, elapsed); ok {
			stats[name] = v
		}
	}
	return stats
}

// Empty tells whether nothing was recorded.
func (m *Metric) Empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sink.count == 0
}

// Thresholds are the promises made about the metric.
func (m *Metric) Thresholds() []*Threshold { return m.thresholds }

// Registry holds the metrics of one run by name.
type Registry struct {
	mu      sync.Mutex
	metrics map[string]*Metric
}

// NewRegistry returns a registry with the metrics k6 keeps by itself.
func NewRegistry() *Registry {
	r := &Registry{metrics: map[string]*Metric{}}
	for _, m := range []struct {
		kind     Kind
		contains string
		names    string
	}{
		{Counter, "default", "http_reqs iterations dropped_iterations"},
		{Counter, "data", "data_sent data_received"},
		{Gauge, "default", "vus vus_max"},
		{Rate, "default", "http_req_failed checks"},
		{Trend, "time", "http_req_duration http_req_blocked http_req_connecting http_req_tls_handshaking " +
			"http_req_sending http_req_waiting http_req_receiving iteration_duration group_duration"},
	} {
		for name := range strings.FieldsSeq(m.names) {
			r.metrics[name] = &Metric{Name: name, Kind: m.kind, Contains: m.contains, sink: sink{kind: m.kind}}
		}
	}
	r.part(r.metrics["http_req_duration"], Tags{"expected_response": "true"}, "http_req_duration{expected_response:true}")
	return r
}

var metricName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// Define returns the metric of that name, made on first use. A name that is
// no identifier, or is taken by another kind, is an error.
func (r *Registry) Define(name string, kind Kind, contains string) (*Metric, error) {
	if !metricName.MatchString(name) {
		return nil, fmt.Errorf("metric name %q: only letters, digits and _, at most 128", name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if m, ok := r.metrics[name]; ok {
		if m.Kind != kind || m.Contains != contains {
			return nil, fmt.Errorf("metric %q exists already as a %s of %s", name, m.Kind, m.Contains)
		}
		return m, nil
	}
	m := &Metric{Name: name, Kind: kind, Contains: contains, sink: sink{kind: kind}}
	r.metrics[name] = m
	return m, nil
}

// Metric is the metric of a known name; nil when there is none.
func (r *Registry) Metric(name string) *Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.metrics[name]
}

// All are the metrics sorted by name.
func (r *Registry) All() []*Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*Metric, 0, len(r.metrics))
	for _, m := range r.metrics {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *Metric) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (r *Registry) part(of *Metric, only Tags, name string) *Metric {
	if m, ok := r.metrics[name]; ok {
		return m
	}
	m := &Metric{Name: name, Kind: of.Kind, Contains: of.Contains, sink: sink{kind: of.Kind}, only: only}
	of.mu.Lock()
	of.parts = append(of.parts, m)
	of.mu.Unlock()
	r.metrics[name] = m
	return m
}
