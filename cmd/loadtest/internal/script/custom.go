package script

import (
	"math"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/metric"
)

// metrics is the module k6/metrics.
func (u *User) metrics() *goja.Object {
	m := u.rt.NewObject()
	for name, kind := range map[string]metric.Kind{
		"Counter": metric.Counter, "Gauge": metric.Gauge, "Rate": metric.Rate, "Trend": metric.Trend,
	} {
		set(m, name, func(c goja.ConstructorCall) *goja.Object { return u.newMetric(name, kind, c) })
	}
	return m
}

func (u *User) newMetric(label string, kind metric.Kind, c goja.ConstructorCall) *goja.Object {
	if u.booted {
		u.throw("metrics are made at the top level of the script")
	}
	contains := "default"
	if c.Argument(1).ToBoolean() {
		contains = "time"
	}
	m, err := u.script.host.Registry.Define(c.Argument(0).String(), kind, contains)
	if err != nil {
		u.throw("%w", err)
	}
	o := u.rt.NewObject()
	set(o, "name", m.Name)
	set(o, "add", func(c goja.FunctionCall) goja.Value {
		value := c.Argument(0).ToFloat()
		if kind == metric.Rate {
			value = number(c.Argument(0).ToBoolean())
		}
		if math.IsNaN(value) {
			u.throw("%s: %s is no number", m.Name, c.Argument(0))
		}
		if u.ctx.Err() == nil {
			m.Add(value, u.allTags(u.strings("tags", c.Argument(1))))
		}
		return u.rt.ToValue(true)
	})
	return u.strict(label, o)
}
