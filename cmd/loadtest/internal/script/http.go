package script

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/client"
)

// http is the module k6/http.
func (u *User) http() *goja.Object {
	m := u.rt.NewObject()
	for name, method := range map[string]string{"get": http.MethodGet, "head": http.MethodHead} {
		set(m, name, func(c goja.FunctionCall) goja.Value {
			return u.send(u.request(method, c.Argument(0), nil, c.Argument(1)))
		})
	}
	for name, method := range map[string]string{
		"post": http.MethodPost, "put": http.MethodPut, "patch": http.MethodPatch,
		"del": http.MethodDelete, "options": http.MethodOptions,
	} {
		set(m, name, func(c goja.FunctionCall) goja.Value {
			return u.send(u.request(method, c.Argument(0), c.Argument(1), c.Argument(2)))
		})
	}
	set(m, "request", func(c goja.FunctionCall) goja.Value {
		return u.send(u.request(strings.ToUpper(c.Argument(0).String()), c.Argument(1), c.Argument(2), c.Argument(3)))
	})
	set(m, "batch", u.batch)
	set(m, "url", u.urlTag)
	set(m, "cookieJar", func(goja.FunctionCall) goja.Value { return u.jarObject(u.jar) })
	set(m, "CookieJar", func(goja.ConstructorCall) *goja.Object { return u.jarObject(newJar()) })
	set(m, "expectedStatuses", u.expectedStatuses)
	set(m, "setResponseCallback", func(c goja.FunctionCall) goja.Value {
		u.expect = u.callback(c.Argument(0))
		return goja.Undefined()
	})
	return m
}

// send does the request and returns its response, as every method does.
func (u *User) send(r *request) goja.Value {
	u.running()
	return u.response(u.do(r))
}

func (u *User) running() {
	if !u.booted {
		u.throw("requests cannot be sent at the top level of the script")
	}
}

// do may run beside others of the same user: it touches nothing of JavaScript.
func (u *User) do(r *request) *outcome {
	a := u.client.Do(u.ctx, r.Request, func(hop *client.Answer) { u.measure(r, hop) })
	if a.Err != nil && u.ctx.Err() == nil {
		fmt.Fprintf(u.script.host.Log, "warn: %s %s: %s\n", r.Method, r.URL, a.Reason())
	}
	return &outcome{request: r, Answer: a}
}

// urlTag is http.url: the address with its values, named by its template.
func (u *User) urlTag(c goja.FunctionCall) goja.Value {
	parts := c.Argument(0).ToObject(u.rt)
	var address, name strings.Builder
	for i, key := range parts.Keys() {
		if i > 0 {
			address.WriteString(c.Argument(i).String())
			name.WriteString("${}")
		}
		part := parts.Get(key).String()
		address.WriteString(part)
		name.WriteString(part)
	}
	o := u.rt.NewObject()
	set(o, "url", address.String())
	set(o, "name", name.String())
	return o
}

// batch sends requests side by side, as many at once as options.batch says.
func (u *User) batch(c goja.FunctionCall) goja.Value {
	u.running()
	list, ok := c.Argument(0).(*goja.Object)
	if !ok {
		u.throw("batch: an array or an object of requests")
	}
	keys := list.Keys()
	requests := make([]*request, len(keys))
	for i, key := range keys {
		requests[i] = u.batched(list.Get(key))
	}
	outcomes := u.sideBySide(requests)
	out := u.rt.NewObject()
	if list.ClassName() == "Array" {
		out = u.rt.NewArray()
	}
	for i, key := range keys {
		set(out, key, u.response(outcomes[i]))
	}
	return out
}

func (u *User) sideBySide(requests []*request) []*outcome {
	outcomes := make([]*outcome, len(requests))
	slots := make(chan struct{}, max(*u.script.Options.Batch, 1))
	var all sync.WaitGroup
	for i, r := range requests {
		slots <- struct{}{}
		all.Go(func() {
			outcomes[i] = u.do(r)
			<-slots
		})
	}
	all.Wait()
	return outcomes
}

// batched reads one entry of a batch: an address, [method, url, body, params]
// or an object of these.
func (u *User) batched(v goja.Value) *request {
	o, ok := v.(*goja.Object)
	if !ok || o.Get("name") != nil && o.Get("method") == nil {
		return u.request(http.MethodGet, v, nil, nil)
	}
	names := []string{"method", "url", "body", "params"}
	if o.ClassName() == "Array" {
		names = []string{"0", "1", "2", "3"}
	} else {
		u.allow("batch", o, names...)
	}
	method := http.MethodGet
	if m := o.Get(names[0]); m != nil && !goja.IsUndefined(m) {
		method = strings.ToUpper(m.String())
	}
	return u.request(method, o.Get(names[1]), o.Get(names[2]), o.Get(names[3]))
}

// allow ends the run when the object has a key that is not among the names.
func (u *User) allow(what string, o *goja.Object, names ...string) {
	for _, key := range o.Keys() {
		known := false
		for _, name := range names {
			known = known || key == name
		}
		if !known {
			u.outside(what + "." + key)
		}
	}
}
