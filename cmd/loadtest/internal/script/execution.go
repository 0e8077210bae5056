package script

import (
	"time"

	"github.com/dop251/goja"
)

// execution is the module k6/execution.
func (u *User) execution() *goja.Object {
	m := u.rt.NewObject()
	set(m, "vu", u.aboutUser())
	set(m, "scenario", u.aboutScenario())
	set(m, "instance", u.aboutInstance())
	test := u.rt.NewObject()
	set(test, "abort", func(c goja.FunctionCall) goja.Value {
		err := ErrAborted
		if len(c.Arguments) > 0 {
			err = &abortError{c.Argument(0).String()}
		}
		u.script.end(err)
		panic(u.rt.NewGoError(err))
	})
	set(m, "test", u.strict("exec.test", test))
	return m
}

type abortError struct{ why string }

func (e *abortError) Error() string { return ErrAborted.Error() + ": " + e.why }
func (e *abortError) Unwrap() error { return ErrAborted }

// getters makes an object whose properties are looked up when they are read.
func (u *User) getters(label string, of map[string]func() any) *goja.Object {
	o := u.rt.NewObject()
	for name, get := range of {
		getter := u.rt.ToValue(func(goja.FunctionCall) goja.Value { return u.rt.ToValue(get()) })
		if err := o.DefineAccessorProperty(name, getter, nil, goja.FLAG_FALSE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
	}
	return u.strict(label, o)
}

func (u *User) aboutUser() *goja.Object {
	metrics := u.rt.NewObject()
	set(metrics, "tags", u.rt.NewDynamicObject(&ownTags{u}))
	return u.getters("exec.vu", map[string]func() any{
		"idInInstance":        func() any { return u.id },
		"idInTest":            func() any { return u.id },
		"iterationInInstance": func() any { return u.total },
		"iterationInScenario": func() any { return u.iterations[u.iteration.Scenario] },
		"metrics":             func() any { return metrics },
	})
}

func (u *User) aboutScenario() *goja.Object {
	return u.getters("exec.scenario", map[string]func() any{
		"name":                func() any { return u.iteration.Scenario },
		"executor":            func() any { return u.iteration.Executor },
		"startTime":           func() any { return u.iteration.Started.UnixMilli() },
		"iterationInInstance": func() any { return u.iteration.InTest },
		"iterationInTest":     func() any { return u.iteration.InTest },
		"progress": func() any {
			if u.iteration.Progress == nil {
				return 0
			}
			return u.iteration.Progress()
		},
	})
}

func (u *User) aboutInstance() *goja.Object {
	s := &u.script.state
	return u.getters("exec.instance", map[string]func() any{
		"iterationsCompleted":    func() any { return s.Completed.Load() },
		"iterationsInterrupted":  func() any { return s.Interrupted.Load() },
		"vusActive":              func() any { return s.Active.Load() },
		"vusInitialized":         func() any { return s.Initialized.Load() },
		"currentTestRunDuration": func() any { return milliseconds(time.Since(s.Started)) },
	})
}

// ownTags is exec.vu.metrics.tags.
type ownTags struct{ u *User }

// Get is goja's: the value of a tag.
func (t *ownTags) Get(key string) goja.Value {
	if v, ok := t.u.own[key]; ok {
		return t.u.rt.ToValue(v)
	}
	return goja.Undefined()
}

// Set is goja's: a tag is set.
func (t *ownTags) Set(key string, v goja.Value) bool {
	t.u.own[key] = v.String()
	return true
}

// Has is goja's: whether there is such a tag.
func (t *ownTags) Has(key string) bool {
	_, ok := t.u.own[key]
	return ok
}

// Delete is goja's: a tag is taken away.
func (t *ownTags) Delete(key string) bool {
	delete(t.u.own, key)
	return true
}

// Keys is goja's: the names of the tags.
func (t *ownTags) Keys() []string {
	keys := make([]string, 0, len(t.u.own))
	for key := range t.u.own {
		keys = append(keys, key)
	}
	return keys
}
