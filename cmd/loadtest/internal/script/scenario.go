package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Scenario is one part of the load with its executor.
type Scenario struct {
	Executor         string            `json:"executor"`
	Exec             string            `json:"exec"`
	Env              map[string]string `json:"env"`
	Tags             map[string]string `json:"tags"`
	StartTime        Duration          `json:"startTime"`
	GracefulStop     *Duration         `json:"gracefulStop"`
	GracefulRampDown *Duration         `json:"gracefulRampDown"`
	VUs              *int              `json:"vus"`
	StartVUs         *int              `json:"startVUs"`
	Iterations       *int              `json:"iterations"`
	Duration         Duration          `json:"duration"`
	MaxDuration      *Duration         `json:"maxDuration"`
	Stages           []Stage           `json:"stages"`
	Rate             *int              `json:"rate"`
	StartRate        int               `json:"startRate"`
	TimeUnit         *Duration         `json:"timeUnit"`
	PreAllocatedVUs  int               `json:"preAllocatedVUs"`
	MaxVUs           int               `json:"maxVUs"`
}

// Stage leads to the target within the duration.
type Stage struct {
	Duration Duration `json:"duration"`
	Target   int      `json:"target"`
}

// shortcut is the one scenario that vus, duration, iterations and stages mean.
func (o *Options) shortcut() Scenario {
	one := 1
	vus := o.VUs
	if vus == nil {
		vus = &one
	}
	switch {
	case o.Stages != nil:
		return Scenario{Executor: "ramping-vus", StartVUs: vus, Stages: o.Stages}
	case o.Iterations > 0:
		s := Scenario{Executor: "shared-iterations", VUs: vus, Iterations: &o.Iterations}
		if o.Duration > 0 {
			s.MaxDuration = &o.Duration
		}
		return s
	case o.Duration > 0:
		return Scenario{Executor: "constant-vus", VUs: vus, Duration: o.Duration}
	}
	return Scenario{Executor: "per-vu-iterations", VUs: vus, Iterations: &one}
}

// complete fills in k6's defaults and refuses what makes no sense.
func (o *Options) complete() error {
	for _, name := range slices.Sorted(maps.Keys(o.Scenarios)) {
		s := o.Scenarios[name]
		if err := s.complete(); err != nil {
			return fmt.Errorf("scenario %s: %w", name, err)
		}
		o.Scenarios[name] = s
	}
	def(&o.Batch, 20)
	def(&o.BatchPerHost, 6)
	def(&o.MaxRedirects, 10)
	def(&o.SetupTimeout, Duration(time.Minute))
	def(&o.TeardownTimeout, Duration(time.Minute))
	if o.UserAgent == "" {
		o.UserAgent = "k6/1.0 (in Go)"
	}
	if o.SummaryTrendStats == nil {
		o.SummaryTrendStats = []string{"avg", "min", "med", "max", "p(90)", "p(95)"}
	}
	return nil
}

func def[T any](p **T, value T) {
	if *p == nil {
		*p = &value
	}
}

func (s *Scenario) complete() error {
	if s.Exec == "" {
		s.Exec = "default"
	}
	def(&s.GracefulStop, Duration(30*time.Second))
	def(&s.GracefulRampDown, Duration(30*time.Second))
	def(&s.MaxDuration, Duration(10*time.Minute))
	def(&s.TimeUnit, Duration(time.Second))
	if *s.TimeUnit <= 0 {
		return errors.New("timeUnit must be above 0")
	}
	s.MaxVUs = max(s.MaxVUs, s.PreAllocatedVUs)
	return s.check()
}

func (s *Scenario) check() error {
	switch s.Executor {
	case "constant-vus":
		def(&s.VUs, 1)
		return need(s.Duration > 0 && *s.VUs > 0, "duration and vus")
	case "ramping-vus":
		def(&s.StartVUs, 1)
		return need(len(s.Stages) > 0 && *s.StartVUs >= 0, "stages")
	case "shared-iterations", "per-vu-iterations":
		def(&s.VUs, 1)
		def(&s.Iterations, 1)
		return need(*s.VUs > 0 && *s.Iterations > 0, "vus and iterations above 0")
	case "constant-arrival-rate":
		return need(s.Rate != nil && *s.Rate > 0 && s.Duration > 0 && s.PreAllocatedVUs > 0, "rate, duration and preAllocatedVUs")
	case "ramping-arrival-rate":
		return need(len(s.Stages) > 0 && s.PreAllocatedVUs > 0, "stages and preAllocatedVUs")
	}
	return fmt.Errorf("executor %q: %s", s.Executor, Subset)
}

func need(ok bool, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("it needs %s", what)
}
