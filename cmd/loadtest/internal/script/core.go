package script

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// core is the module k6.
func (u *User) core() *goja.Object {
	m := u.rt.NewObject()
	set(m, "check", u.check)
	set(m, "group", u.inGroup)
	set(m, "sleep", func(c goja.FunctionCall) goja.Value {
		u.wait(u.ctx, time.Duration(c.Argument(0).ToFloat()*float64(time.Second)))
		return goja.Undefined()
	})
	set(m, "fail", func(c goja.FunctionCall) goja.Value {
		u.throw("%s", c.Argument(0).String())
		return nil
	})
	set(m, "randomSeed", func(c goja.FunctionCall) goja.Value {
		seeded := rand.New(rand.NewPCG(uint64(c.Argument(0).ToInteger()), 0)) //nolint:gosec // a seed asks for what can be foreseen
		u.rt.SetRandSource(seeded.Float64)
		return goja.Undefined()
	})
	return m
}

func (u *User) check(c goja.FunctionCall) goja.Value {
	subject, all := c.Argument(0), true
	conditions := c.Argument(1).ToObject(u.rt)
	more := u.strings("check tags", c.Argument(2))
	for _, name := range conditions.Keys() {
		ok, err := u.holds(conditions.Get(name), subject)
		tags := u.allTags(more)
		tags["check"] = name
		u.group.Check(name, ok)
		u.script.host.Registry.Metric("checks").Add(number(ok), tags)
		if err != nil {
			panic(err)
		}
		all = all && ok
	}
	return u.rt.ToValue(all)
}

// holds calls the condition with its subject; one that throws counts as failed
// before the exception goes on.
func (u *User) holds(condition, subject goja.Value) (bool, error) {
	f, ok := goja.AssertFunction(condition)
	if !ok {
		return condition.ToBoolean(), nil
	}
	value, err := f(goja.Undefined(), subject)
	if err != nil {
		return false, err
	}
	return value.ToBoolean(), nil
}

func number(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func (u *User) inGroup(c goja.FunctionCall) goja.Value {
	name := c.Argument(0).String()
	f, ok := goja.AssertFunction(c.Argument(1))
	if !ok || name == "" || strings.Contains(name, "::") {
		u.throw("group: a name without :: and a function")
	}
	outer, before := u.group, u.tags["group"]
	u.group = outer.Group(name)
	u.tags["group"] = u.group.Path
	defer func() { u.group, u.tags["group"] = outer, before }()
	started := time.Now()
	value, err := f(goja.Undefined())
	if err != nil {
		panic(err)
	}
	u.count("group_duration", milliseconds(time.Since(started)), nil)
	return value
}

// count records a value of k6's own metrics with the user's tags.
func (u *User) count(name string, value float64, more map[string]string) {
	if u.ctx.Err() == nil {
		u.script.host.Registry.Metric(name).Add(value, u.allTags(more))
	}
}

// strings reads an object of tags or the like.
func (u *User) strings(what string, v goja.Value) map[string]string {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		u.throw("%s: an object is needed, not %s", what, v)
	}
	m := map[string]string{}
	for _, name := range o.Keys() {
		m[name] = o.Get(name).String()
	}
	return m
}
