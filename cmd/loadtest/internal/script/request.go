package script

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/client"
)

// request is one of the script's with how it is to be measured.
type request struct {
	client.Request
	name   string
	tags   map[string]string
	base   map[string]string // the user's tags when it was made
	expect func(int) bool
	binary bool
	none   bool
	throw  bool
}

func absent(v goja.Value) bool { return v == nil || goja.IsUndefined(v) || goja.IsNull(v) }

func (u *User) request(method string, address, body, params goja.Value) *request {
	o := u.script.Options
	r := &request{
		Request: client.Request{
			Method: method, Header: http.Header{}, Jar: u.jar, Redirects: *o.MaxRedirects,
			Timeout: time.Minute, Discard: o.DiscardResponseBodies,
		},
		expect: u.expect, none: o.DiscardResponseBodies, throw: o.Throw,
	}
	u.address(r, address)
	u.body(r, body)
	return u.with(r, params)
}

// with adds the params of the call, and settles what the request is tagged with.
func (u *User) with(r *request, params goja.Value) *request {
	u.params(r, params)
	r.Discard = r.none
	r.base = u.allTags(r.tags)
	if _, named := r.base["name"]; !named {
		r.base["name"] = r.name
	}
	return r
}

func (u *User) address(r *request, v goja.Value) {
	if absent(v) {
		u.throw("%s: the address is missing", r.Method)
	}
	r.URL = v.String()
	r.name = r.URL
	if o, ok := v.(*goja.Object); ok && o.Get("url") != nil {
		r.URL, r.name = o.Get("url").String(), o.Get("name").String()
	}
	parsed, err := url.Parse(r.URL)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		u.throw("%s %q: the address must begin with http:// or https:// and a host", r.Method, r.URL)
	}
}

// body reads a string, bytes, or an object that becomes a form.
func (u *User) body(r *request, v goja.Value) {
	if absent(v) {
		return
	}
	o, ok := v.(*goja.Object)
	if _, buffer := v.Export().(goja.ArrayBuffer); !ok || buffer {
		r.Body = u.octets(v)
		return
	}
	if typed := o.Get("buffer"); typed != nil {
		r.Body = u.octets(typed)
		return
	}
	if o.ClassName() != "Object" {
		r.Body = []byte(o.String())
		return
	}
	form := url.Values{}
	for _, key := range o.Keys() {
		field := o.Get(key)
		if list, ok := field.(*goja.Object); ok && list.ClassName() == "Array" {
			for _, i := range list.Keys() {
				form.Add(key, list.Get(i).String())
			}
		} else {
			form.Add(key, field.String())
		}
	}
	r.Body = []byte(form.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
}

func (u *User) params(r *request, v goja.Value) {
	if absent(v) {
		return
	}
	o, ok := v.(*goja.Object)
	if !ok {
		u.throw("params must be an object, not %s", v)
	}
	for _, key := range o.Keys() {
		if value := o.Get(key); !absent(value) || key == "responseCallback" {
			u.param(r, key, value)
		}
	}
}

func (u *User) param(r *request, key string, v goja.Value) {
	switch key {
	case "headers":
		for name, value := range u.strings("headers", v) {
			r.Header.Set(name, value)
		}
	case "tags":
		r.tags = u.strings("tags", v)
	case "cookies":
		u.cookies(r, v.ToObject(u.rt))
	case "jar":
		r.Jar = u.jarOf(v)
	case "redirects":
		r.Redirects = int(v.ToInteger())
	case "timeout":
		r.Timeout = u.duration(v)
	case "responseCallback":
		r.expect = u.callback(v)
	case "responseType":
		u.responseType(r, v.String())
	case "throw":
		r.throw = v.ToBoolean()
	default:
		u.outside("params." + key)
	}
}

func (u *User) responseType(r *request, kind string) {
	switch kind {
	case "text", "binary", "none":
		r.binary, r.none = kind == "binary", kind == "none"
	default:
		u.outside("params.responseType " + strconv.Quote(kind))
	}
}

func (u *User) duration(v goja.Value) time.Duration {
	if ms, ok := v.Export().(int64); ok {
		return time.Duration(ms) * time.Millisecond
	}
	if ms, err := strconv.ParseFloat(v.String(), 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond))
	}
	d, err := parseDuration(v.String())
	if err != nil {
		u.throw("%w", err)
	}
	return d
}

func (u *User) cookies(r *request, o *goja.Object) {
	for _, name := range o.Keys() {
		v := o.Get(name)
		if details, ok := v.(*goja.Object); ok {
			u.allow("params.cookies."+name, details, "value", "replace")
			if replace := details.Get("replace"); replace != nil {
				r.Replace = r.Replace || replace.ToBoolean()
			}
			v = details.Get("value")
		}
		r.Cookies = append(r.Cookies, &http.Cookie{Name: name, Value: v.String()}) //nolint:gosec // sent, not set
	}
}

// usual is what k6 takes for a success when the script says nothing.
func usual(status int) bool { return status >= 200 && status < 400 }

// statuses is what http.expectedStatuses returns.
type statuses struct{ ok func(int) bool }

func (u *User) expectedStatuses(c goja.FunctionCall) goja.Value {
	var ranges [][2]int64
	for _, a := range c.Arguments {
		if o, ok := a.(*goja.Object); ok && o.Get("min") != nil && o.Get("max") != nil {
			ranges = append(ranges, [2]int64{o.Get("min").ToInteger(), o.Get("max").ToInteger()})
		} else if n, ok := a.Export().(int64); ok {
			ranges = append(ranges, [2]int64{n, n})
		} else {
			u.throw("expectedStatuses: numbers or {min, max}, not %s", a)
		}
	}
	return u.rt.ToValue(&statuses{func(status int) bool {
		for _, r := range ranges {
			if int64(status) >= r[0] && int64(status) <= r[1] {
				return true
			}
		}
		return false
	}})
}

// callback reads what expectedStatuses returned; null turns http_req_failed off.
func (u *User) callback(v goja.Value) func(int) bool {
	if absent(v) {
		return nil
	}
	s, ok := v.Export().(*statuses)
	if !ok {
		u.outside("a response callback other than http.expectedStatuses(…)")
	}
	return s.ok
}
