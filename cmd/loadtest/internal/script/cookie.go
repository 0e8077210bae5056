package script

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"

	"github.com/dop251/goja"
)

func newJar() *cookiejar.Jar {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // only for options that are not given
	}
	return jar
}

// jarKey is the hidden property in which a jar object keeps its jar.
const jarKey = "__jar"

func (u *User) jarOf(v goja.Value) http.CookieJar {
	if o, ok := v.(*goja.Object); ok {
		if kept := o.Get(jarKey); kept != nil {
			if jar, ok := kept.Export().(*cookiejar.Jar); ok {
				return jar
			}
		}
	}
	u.throw("params.jar: not a cookie jar")
	return nil
}

func (u *User) jarObject(jar *cookiejar.Jar) *goja.Object {
	o := u.rt.NewObject()
	if err := o.DefineDataProperty(jarKey, u.rt.ToValue(jar), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
	set(o, "cookiesForURL", func(c goja.FunctionCall) goja.Value {
		found := map[string][]string{}
		for _, cookie := range jar.Cookies(u.at(c)) {
			found[cookie.Name] = append(found[cookie.Name], cookie.Value)
		}
		return u.lists(found)
	})
	set(o, "set", func(c goja.FunctionCall) goja.Value {
		jar.SetCookies(u.at(c), []*http.Cookie{u.cookie(c)})
		return u.rt.ToValue(true)
	})
	set(o, "clear", func(c goja.FunctionCall) goja.Value {
		for _, cookie := range jar.Cookies(u.at(c)) {
			forget(jar, u.at(c), cookie.Name)
		}
		return goja.Undefined()
	})
	set(o, "delete", func(c goja.FunctionCall) goja.Value {
		forget(jar, u.at(c), c.Argument(1).String())
		return goja.Undefined()
	})
	return u.strict("CookieJar", o)
}

// forget takes a cookie away at every path it may have been set for.
func forget(jar *cookiejar.Jar, at *url.URL, name string) {
	for path := at.Path + "/"; path != ""; {
		cut := len(path) - 1
		for cut > 0 && path[cut] != '/' {
			cut--
		}
		for _, p := range []string{path[:cut], path[:cut] + "/"} {
			jar.SetCookies(at, []*http.Cookie{{Name: name, Path: p, MaxAge: -1}}) //nolint:gosec // taken away
		}
		path = path[:cut]
	}
}

func (u *User) at(c goja.FunctionCall) *url.URL {
	at, err := url.Parse(c.Argument(0).String())
	if err != nil {
		u.throw("cookie jar: %w", err)
	}
	return at
}

func (u *User) cookie(c goja.FunctionCall) *http.Cookie {
	cookie := &http.Cookie{Name: c.Argument(1).String(), Value: c.Argument(2).String()} //nolint:gosec // the script's own
	if absent(c.Argument(3)) {
		return cookie
	}
	o := c.Argument(3).ToObject(u.rt)
	u.allow("cookie options", o, "domain", "path", "expires", "max_age", "secure", "http_only")
	for _, key := range o.Keys() {
		v := o.Get(key)
		switch key {
		case "domain":
			cookie.Domain = v.String()
		case "path":
			cookie.Path = v.String()
		case "max_age":
			cookie.MaxAge = int(v.ToInteger())
		case "secure":
			cookie.Secure = v.ToBoolean()
		case "http_only":
			cookie.HttpOnly = v.ToBoolean()
		case "expires":
			expires, err := time.Parse(time.RFC1123, v.String())
			if err != nil {
				u.throw("cookie expires: %w", err)
			}
			cookie.Expires = expires
		}
	}
	return cookie
}

// lists makes an object of arrays of strings.
func (u *User) lists(of map[string][]string) *goja.Object {
	o := u.rt.NewObject()
	for name, values := range of {
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		set(o, name, u.rt.NewArray(list...))
	}
	return o
}
