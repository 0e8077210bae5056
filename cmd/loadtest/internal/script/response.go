package script

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/client"
)

// outcome is what became of a request.
type outcome struct {
	*client.Answer
	request *request
}

func (u *User) response(a *outcome) goja.Value {
	if a.Err != nil && u.ctx.Err() != nil { // cut off: the interrupt ends the iteration
		u.throw("%s", a.Err)
	}
	if a.Err != nil && a.request.throw {
		u.throw("%s", a.Reason())
	}
	o := u.rt.NewObject()
	set(o, "status", a.Status)
	set(o, "status_text", a.StatusText)
	set(o, "proto", a.Proto)
	set(o, "url", a.Request.URL.String())
	set(o, "body", u.bodyValue(a))
	set(o, "error", a.Reason())
	set(o, "error_code", a.Code())
	set(o, "headers", u.headers(a.Header))
	set(o, "cookies", u.setCookies(a.Cookies))
	set(o, "timings", u.timings(a.Timings))
	set(o, "request", u.sent(a))
	host, port, _ := net.SplitHostPort(a.Remote)
	number, _ := strconv.Atoi(port)
	set(o, "remote_ip", host)
	set(o, "remote_port", number)
	set(o, "json", func(c goja.FunctionCall) goja.Value { return u.jsonOf(a, c.Argument(0)) })
	set(o, "html", func(c goja.FunctionCall) goja.Value { return u.htmlOf(a, c.Argument(0)) })
	set(o, "submitForm", func(c goja.FunctionCall) goja.Value { return u.submitForm(a, c.Argument(0)) })
	set(o, "clickLink", func(c goja.FunctionCall) goja.Value { return u.clickLink(a, c.Argument(0)) })
	return u.strict("Response", o)
}

func (u *User) bodyValue(a *outcome) goja.Value {
	switch {
	case a.request.none || a.Err != nil:
		return goja.Null()
	case a.request.binary:
		return u.rt.ToValue(u.rt.NewArrayBuffer(a.Body))
	default:
		return u.rt.ToValue(string(a.Body))
	}
}

// headers have one string each, several values joined as k6 does.
func (u *User) headers(h http.Header) *goja.Object {
	o := u.rt.NewObject()
	for name, values := range h {
		set(o, name, strings.Join(values, ", "))
	}
	return o
}

func (u *User) setCookies(cookies []*http.Cookie) *goja.Object {
	o := u.rt.NewObject()
	for _, c := range cookies {
		cookie := u.rt.NewObject()
		set(cookie, "name", c.Name)
		set(cookie, "value", c.Value)
		set(cookie, "domain", c.Domain)
		set(cookie, "path", c.Path)
		set(cookie, "http_only", c.HttpOnly)
		set(cookie, "secure", c.Secure)
		set(cookie, "max_age", c.MaxAge)
		set(cookie, "expires", c.Expires.UnixMilli())
		list, ok := o.Get(c.Name).(*goja.Object)
		if !ok {
			list = u.rt.NewArray()
			set(o, c.Name, list)
		}
		set(list, strconv.Itoa(len(list.Keys())), cookie)
	}
	return o
}

func (u *User) timings(t client.Timings) *goja.Object {
	o := u.rt.NewObject()
	set(o, "duration", milliseconds(t.Duration()))
	set(o, "blocked", milliseconds(t.Blocked))
	set(o, "looking_up", 0)
	set(o, "connecting", milliseconds(t.Connecting))
	set(o, "tls_handshaking", milliseconds(t.TLS))
	set(o, "sending", milliseconds(t.Sending))
	set(o, "waiting", milliseconds(t.Waiting))
	set(o, "receiving", milliseconds(t.Receiving))
	return u.strict("Response.timings", o)
}

func (u *User) sent(a *outcome) *goja.Object {
	o := u.rt.NewObject()
	set(o, "method", a.Request.Method)
	set(o, "url", a.Request.URL.String())
	set(o, "body", string(a.SentBody))
	set(o, "headers", u.rt.ToValue(map[string][]string(a.Request.Header)))
	return u.strict("Response.request", o)
}

func (u *User) text(a *outcome) string {
	if a.request.none {
		u.throw("%s %s: the body was discarded, see responseType and discardResponseBodies", a.Request.Method, a.Request.URL)
	}
	return string(a.Body)
}

// jsonOf is response.json(): the whole, or what a path of names and numbers
// such as "items.0.id" leads to.
func (u *User) jsonOf(a *outcome, path goja.Value) goja.Value {
	value, err := u.parse(u.text(a))
	if err != nil {
		u.throw("%s %s: the body is no JSON: %w", a.Request.Method, a.Request.URL, err)
	}
	if absent(path) {
		return value
	}
	if strings.ContainsAny(path.String(), `*?#@|\!{}[]()`) {
		u.outside("the JSON path " + strconv.Quote(path.String()))
	}
	for name := range strings.SplitSeq(path.String(), ".") {
		o, ok := value.(*goja.Object)
		if !ok {
			return goja.Undefined()
		}
		if value = o.Get(name); value == nil {
			return goja.Undefined()
		}
	}
	return value
}
