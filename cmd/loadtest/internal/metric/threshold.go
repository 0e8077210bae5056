package metric

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Threshold is one promise, such as p(95)<500.
type Threshold struct {
	Source string
	Abort  bool          // a broken promise ends the run
	Delay  time.Duration // but not before so long

	stat   string
	op     string
	bound  float64
	failed atomic.Bool
}

// Failed tells whether the promise was broken when it was last looked at.
func (t *Threshold) Failed() bool { return t.failed.Load() }

var thresholdForm = regexp.MustCompile(`^\s*(avg|min|max|med|count|rate|value|p\(\s*[0-9.]+\s*\))\s*(<=|>=|<|>|===|==|!=)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*$`)

// NewThreshold reads a promise such as "p(95)<500".
func NewThreshold(source string) (*Threshold, error) {
	m := thresholdForm.FindStringSubmatch(source)
	if m == nil {
		return nil, fmt.Errorf("threshold %q is not of the form p(95)<500", source)
	}
	bound, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return nil, fmt.Errorf("threshold %q: %w", source, err)
	}
	return &Threshold{Source: source, stat: strings.ReplaceAll(m[1], " ", ""), op: m[2], bound: bound}, nil
}

func (t *Threshold) holds(v float64) bool {
	switch t.op {
	case "<":
		return v < t.bound
	case "<=":
		return v <= t.bound
	case ">":
		return v > t.bound
	case ">=":
		return v >= t.bound
	case "!=":
		return v != t.bound
	default:
		return v == t.bound
	}
}

// Promise ties thresholds to the metric that key names, which may end in tags:
// http_req_duration{name:home}. An unknown metric, or a figure its kind does
// not have, is an error.
func (r *Registry) Promise(key string, thresholds ...*Threshold) error {
	name, only, err := splitKey(key)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.metrics[name]
	if !ok {
		return fmt.Errorf("threshold on %q: there is no metric of that name", key)
	}
	for _, t := range thresholds {
		if _, ok := m.sink.stat(t.stat, time.Second); !ok {
			return fmt.Errorf("threshold %q on %q: a %s has no %s", t.Source, key, m.Kind, t.stat)
		}
	}
	if len(only) > 0 {
		m = r.part(m, only, key)
	}
	m.thresholds = append(m.thresholds, thresholds...)
	return nil
}

func splitKey(key string) (string, Tags, error) {
	name, rest, tagged := strings.Cut(key, "{")
	if !tagged {
		return key, nil, nil
	}
	rest, closed := strings.CutSuffix(rest, "}")
	if !closed {
		return "", nil, fmt.Errorf("threshold on %q: the closing brace is missing", key)
	}
	only := Tags{}
	for pair := range strings.SplitSeq(rest, ",") {
		tag, value, ok := strings.Cut(pair, ":")
		if !ok {
			return "", nil, fmt.Errorf("threshold on %q: a tag is written name:value", key)
		}
		only[strings.TrimSpace(tag)] = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	return strings.TrimSpace(name), only, nil
}

// Judge looks at every threshold. While the run goes on (ended false) metrics
// without a value are passed over, as in k6. It returns the promises that are
// broken and whether one of them ends the run.
func (r *Registry) Judge(elapsed time.Duration, ended bool) (broken []string, abort bool) {
	for _, m := range r.All() {
		if !ended && m.Empty() {
			continue
		}
		for _, t := range m.thresholds {
			v, _ := m.Stat(t.stat, elapsed)
			t.failed.Store(!t.holds(v))
			if t.Failed() {
				broken = append(broken, m.Name+": "+t.Source)
				abort = abort || t.Abort && elapsed >= t.Delay
			}
		}
	}
	return broken, abort
}
