package script

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/cookiejar"
	"time"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/client"
	"madang/cmd/loadtest/internal/metric"
)

// User is one virtual user: a JavaScript runtime, connections and cookies of
// its own. It is used by one goroutine at a time.
type User struct {
	script  *Script
	id      int
	rt      *goja.Runtime
	exports *goja.Object
	modules map[string]*goja.Object
	client  *client.Client
	jar     *cookiejar.Jar
	ctx     context.Context //nolint:containedctx // of the call under way; JavaScript cannot pass it on
	booted  bool

	iteration  Iteration
	iterations map[string]int // by scenario
	total      int
	group      *metric.Group
	tags       metric.Tags // of the scenario, the group and the script
	own        metric.Tags // exec.vu.metrics.tags
	expect     func(int) bool
	data       goja.Value // what setup returned
}

// Iteration is what one turn of the script is for.
type Iteration struct {
	Scenario, Executor, Exec string
	Env                      map[string]string
	Tags                     map[string]string
	Started                  time.Time // of the scenario
	InTest                   int       // number of the turn in its scenario
	Progress                 func() float64
	Data                     json.RawMessage
}

// NewUser makes an instance of the script: its top level runs.
func (s *Script) NewUser(id int) (*User, error) {
	u := &User{
		script: s, id: id, rt: goja.New(), modules: map[string]*goja.Object{}, iterations: map[string]int{},
		ctx: context.Background(), group: s.host.Root, tags: metric.Tags{"group": ""}, own: metric.Tags{},
		expect: usual,
	}
	per := 6
	if s.Options.BatchPerHost != nil {
		per = *s.Options.BatchPerHost
	}
	u.client = client.New(client.Settings{
		UserAgent: s.Options.UserAgent, NoConnectionReuse: s.Options.NoConnectionReuse,
		InsecureSkipTLS: s.Options.InsecureSkipTLSVerify, PerHost: max(per, 1),
	})
	if err := u.freshJar(); err != nil {
		return nil, err
	}
	u.rt.SetRandSource(rand.Float64)
	u.globals()
	return u, u.boot()
}

func (u *User) boot() error {
	module := u.rt.NewObject()
	u.exports = u.rt.NewObject()
	set(module, "exports", u.exports)
	set(u.rt.GlobalObject(), "module", module)
	set(u.rt.GlobalObject(), "exports", u.exports)
	if _, err := u.rt.RunProgram(u.script.program); err != nil {
		return u.cause(err)
	}
	u.exports = module.Get("exports").ToObject(u.rt)
	u.booted = true
	return nil
}

// set puts a value into an object of ours, which cannot fail.
func set(o *goja.Object, name string, value any) {
	if err := o.Set(name, value); err != nil {
		panic(err)
	}
}

func (u *User) freshJar() error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return fmt.Errorf("make a cookie jar: %w", err)
	}
	u.jar = jar
	return nil
}

// Close closes the user's connections.
func (u *User) Close() { u.client.Close() }

// Run does one iteration. It returns nil or why it ended early; when ctx ends
// it is context.Cause(ctx).
func (u *User) Run(ctx context.Context, it Iteration) error {
	if err := u.prepare(it); err != nil {
		return err
	}
	started := time.Now()
	_, err := u.call(ctx, it.Exec, it.Data)
	u.iterations[it.Scenario]++
	u.total++
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	u.record(time.Since(started))
	if rest := time.Duration(u.script.Options.MinIterationDuration) - time.Since(started); rest > 0 {
		u.wait(ctx, rest)
	}
	if u.script.Options.NoVUConnectionReuse {
		u.client.Close()
	}
	return err
}

func (u *User) prepare(it Iteration) error {
	if it.Env != nil && it.Scenario != u.iteration.Scenario || u.iteration.Env != nil {
		u.environment(it.Env)
	}
	u.iteration, u.expect, u.group = it, usual, u.script.host.Root
	u.tags = metric.Tags{"scenario": it.Scenario, "group": ""}
	maps.Copy(u.tags, u.script.Options.Tags)
	maps.Copy(u.tags, it.Tags)
	set(u.rt.GlobalObject(), "__ITER", u.iterations[it.Scenario])
	if u.script.Options.NoCookiesReset {
		return nil
	}
	return u.freshJar()
}

func (u *User) record(took time.Duration) {
	tags, r := u.allTags(nil), u.script.host.Registry
	r.Metric("iterations").Add(1, tags)
	r.Metric("iteration_duration").Add(milliseconds(took), tags)
	sent, received := u.client.Bytes()
	r.Metric("data_sent").Add(float64(sent), tags)
	r.Metric("data_received").Add(float64(received), tags)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// allTags are the user's with those given.
func (u *User) allTags(more map[string]string) metric.Tags {
	tags := make(metric.Tags, len(u.tags)+len(u.own)+len(more)+8)
	maps.Copy(tags, u.tags)
	maps.Copy(tags, u.own)
	maps.Copy(tags, more)
	return tags
}
