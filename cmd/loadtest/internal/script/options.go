package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"madang/cmd/loadtest/internal/metric"
)

// Options are what a script may export as options.
type Options struct {
	VUs        *int                `json:"vus"`
	Duration   Duration            `json:"duration"`
	Iterations int                 `json:"iterations"`
	Stages     []Stage             `json:"stages"`
	Scenarios  map[string]Scenario `json:"scenarios"`
	Thresholds map[string]promises `json:"thresholds"`
	Tags       map[string]string   `json:"tags"`

	Batch                 *int      `json:"batch"`
	BatchPerHost          *int      `json:"batchPerHost"`
	DiscardResponseBodies bool      `json:"discardResponseBodies"`
	InsecureSkipTLSVerify bool      `json:"insecureSkipTLSVerify"`
	MaxRedirects          *int      `json:"maxRedirects"`
	MinIterationDuration  Duration  `json:"minIterationDuration"`
	NoConnectionReuse     bool      `json:"noConnectionReuse"`
	NoVUConnectionReuse   bool      `json:"noVUConnectionReuse"`
	NoCookiesReset        bool      `json:"noCookiesReset"`
	SetupTimeout          *Duration `json:"setupTimeout"`
	TeardownTimeout       *Duration `json:"teardownTimeout"`
	SummaryTrendStats     []string  `json:"summaryTrendStats"`
	Throw                 bool      `json:"throw"`
	UserAgent             string    `json:"userAgent"`

	Cloud json.RawMessage `json:"cloud"` // for k6 alone
	Ext   json.RawMessage `json:"ext"`   // for k6 alone
}

// promises are the thresholds of one metric: "p(95)<500", or
// {threshold, abortOnFail, delayAbortEval}.
type promises []promise

type promise struct {
	Threshold      string   `json:"threshold"`
	AbortOnFail    bool     `json:"abortOnFail"`
	DelayAbortEval Duration `json:"delayAbortEval"`
}

// UnmarshalJSON reads either form.
func (p *promise) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &p.Threshold)
	}
	type plain promise
	return strict(text, (*plain)(p))
}

func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// readOptions reads what the script exports. What is not known is named.
func readOptions(text []byte) (Options, error) {
	var o Options
	if err := strict(text, &o); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return o, fmt.Errorf("options.%s: a %s does not fit there", wrong.Field, wrong.Value)
		}
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return o, fmt.Errorf("option %s: %s", name, Subset)
		}
		return o, fmt.Errorf("options: %w", err)
	}
	if o.Scenarios == nil {
		o.Scenarios = map[string]Scenario{"default": o.shortcut()}
	} else if o.Duration > 0 || o.Iterations > 0 || o.Stages != nil {
		return o, errors.New("options: either scenarios, or duration, iterations and stages")
	}
	return o, o.complete()
}

// Promise hands the thresholds to the registry, which knows every metric once
// the script has been read. Delays are multiplied by scale.
func (o *Options) Promise(r *metric.Registry, scale float64) error {
	for _, key := range slices.Sorted(maps.Keys(o.Thresholds)) {
		for _, p := range o.Thresholds[key] {
			t, err := metric.NewThreshold(p.Threshold)
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			t.Abort, t.Delay = p.AbortOnFail, time.Duration(float64(p.DelayAbortEval)*scale)
			if err := r.Promise(key, t); err != nil {
				return err
			}
		}
	}
	return nil
}
