package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dop251/goja"
)

// globals are what a script finds without importing it.
func (u *User) globals() {
	g := u.rt.GlobalObject()
	set(g, "global", g)
	set(g, "__VU", u.id)
	set(g, "__ITER", 0)
	set(g, "__k6", u.module)
	set(g, "open", u.open)
	set(g, "console", u.console())
	u.environment(nil)
	for _, name := range []string{
		"setTimeout", "clearTimeout", "setInterval", "clearInterval", "crypto", "require",
		"TextEncoder", "TextDecoder", "WebSocket", "fetch", "URL", "URLSearchParams",
	} {
		getter := u.rt.ToValue(func(goja.FunctionCall) goja.Value { return u.outside(name) })
		if err := g.DefineAccessorProperty(name, getter, nil, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			panic(err)
		}
	}
}

func (u *User) environment(more map[string]string) {
	env := u.rt.NewObject()
	for name, value := range u.script.host.Env {
		set(env, name, value)
	}
	for name, value := range more {
		set(env, name, value)
	}
	set(u.rt.GlobalObject(), "__ENV", env)
}

// open reads a file beside the script; only its top level may, as in k6.
func (u *User) open(c goja.FunctionCall) goja.Value {
	if u.booted {
		u.throw("open() is for the top level of the script")
	}
	path := c.Argument(0).String()
	if !filepath.IsAbs(path) {
		path = filepath.Join(u.script.dir, path)
	}
	text, err := os.ReadFile(path) //nolint:gosec // the script says what it reads
	if err != nil {
		u.throw("open: %w", err)
	}
	if c.Argument(1).String() == "b" {
		return u.rt.ToValue(u.rt.NewArrayBuffer(text))
	}
	return u.rt.ToValue(string(text))
}

func (u *User) console() *goja.Object {
	o := u.rt.NewObject()
	for _, level := range []string{"log", "debug", "info", "warn", "error"} {
		set(o, level, func(c goja.FunctionCall) goja.Value {
			words := make([]string, len(c.Arguments))
			for i, a := range c.Arguments {
				words[i] = u.show(a)
			}
			fmt.Fprintf(u.script.host.Log, "%s: %s\n", level, strings.Join(words, " "))
			return goja.Undefined()
		})
	}
	return u.strict("console", o)
}

func (u *User) show(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() == "Error" {
		return v.String()
	}
	text, err := u.json(v)
	if err != nil {
		return v.String()
	}
	return string(text)
}

// json is JSON.stringify.
func (u *User) json(v goja.Value) (json.RawMessage, error) {
	f, _ := goja.AssertFunction(u.rt.Get("JSON").ToObject(u.rt).Get("stringify"))
	text, err := f(goja.Undefined(), v)
	if err != nil {
		return nil, fmt.Errorf("write as JSON: %w", err)
	}
	if goja.IsUndefined(text) {
		return json.RawMessage("null"), nil
	}
	return json.RawMessage(text.String()), nil
}

// parse is JSON.parse.
func (u *User) parse(text string) (goja.Value, error) {
	f, _ := goja.AssertFunction(u.rt.Get("JSON").ToObject(u.rt).Get("parse"))
	value, err := f(goja.Undefined(), u.rt.ToValue(text))
	if exception, ok := errors.AsType[*goja.Exception](err); ok {
		return nil, errors.New(exception.Value().String())
	}
	return value, err
}

// tolerated are names that JavaScript itself asks an object for.
var tolerated = map[string]bool{"then": true, "toJSON": true, "__esModule": true}

// strict wraps an object of ours so that reading what it does not have ends
// the run with a line that names it, where plain JavaScript would go on with
// undefined.
func (u *User) strict(label string, o *goja.Object) *goja.Object {
	return u.rt.ToValue(u.rt.NewProxy(o, &goja.ProxyTrapConfig{
		Get: func(target *goja.Object, name string, _ goja.Value) goja.Value {
			if v := target.Get(name); v != nil {
				return v
			}
			if tolerated[name] {
				return goja.Undefined()
			}
			return u.outside(label + "." + name)
		},
	})).ToObject(u.rt)
}

// module is what an import of k6 resolves to.
func (u *User) module(c goja.FunctionCall) goja.Value {
	name := c.Argument(0).String()
	if m, ok := u.modules[name]; ok {
		return m
	}
	m := map[string]func() *goja.Object{
		"k6": u.core, "k6/http": u.http, "k6/metrics": u.metrics, "k6/execution": u.execution,
		"k6/data": u.sharing, "k6/encoding": u.encoding, "k6/crypto": u.crypto, "k6/html": u.html,
	}[name]()
	u.modules[name] = u.strict(name, m)
	return u.modules[name]
}
