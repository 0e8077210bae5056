package script

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
)

type field struct{ name, value string }

// fieldValue is what a field would send.
func fieldValue(s *goquery.Selection) (string, bool) {
	switch goquery.NodeName(s.First()) {
	case "textarea":
		return strings.TrimPrefix(s.First().Text(), "\n"), true
	case "select":
		option := s.First().Find("option[selected]").First()
		if option.Length() == 0 {
			option = s.First().Find("option").First()
		}
		if option.Length() == 0 {
			return "", false
		}
		return fieldValue(option)
	case "option":
		if value, ok := s.First().Attr("value"); ok {
			return value, true
		}
		return strings.TrimSpace(s.First().Text()), true
	}
	value, ok := s.First().Attr("value")
	if !ok && s.First().Is("input[type=checkbox],input[type=radio]") {
		return "on", true
	}
	return value, ok
}

// formFields are what a browser would send without a button being pressed.
func formFields(form *goquery.Selection) []field {
	var fields []field
	form.Find("input,select,textarea").Each(func(_ int, s *goquery.Selection) {
		name, _ := s.Attr("name")
		if name == "" || s.Is("[disabled],[type=submit],[type=button],[type=reset],[type=image],[type=file]") ||
			s.Is("[type=checkbox],[type=radio]") && !s.Is("[checked]") {
			return
		}
		value, _ := fieldValue(s)
		fields = append(fields, field{name, value})
	})
	return fields
}

// submitForm is response.submitForm({formSelector, fields, submitSelector, params}).
func (u *User) submitForm(a *outcome, argument goja.Value) goja.Value {
	o := u.arguments("submitForm", argument, "formSelector", "fields", "submitSelector", "params")
	form := u.document(u.text(a)).Find(u.or(o.Get("formSelector"), "form")).First()
	if form.Length() == 0 {
		u.throw("submitForm: no form %s on %s", u.or(o.Get("formSelector"), "form"), a.Request.URL)
	}
	if kind, _ := form.Attr("enctype"); kind != "" && kind != "application/x-www-form-urlencoded" {
		return u.outside("submitForm of the type " + kind)
	}
	values := u.formValues(form, o)
	action, _ := form.Attr("action")
	target := u.resolve(a, action)
	if method, _ := form.Attr("method"); strings.EqualFold(method, http.MethodPost) {
		r := u.request(http.MethodPost, u.rt.ToValue(target.String()), nil, nil)
		r.Body = []byte(values.Encode())
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return u.send(u.with(r, o.Get("params")))
	}
	target.RawQuery = values.Encode()
	return u.send(u.request(http.MethodGet, u.rt.ToValue(target.String()), nil, o.Get("params")))
}

func (u *User) formValues(form *goquery.Selection, o *goja.Object) url.Values {
	values := url.Values{}
	for _, f := range formFields(form) {
		values.Add(f.name, f.value)
	}
	button := form.Find(u.or(o.Get("submitSelector"), `[type="submit"]`)).First()
	if name, _ := button.Attr("name"); name != "" {
		values.Set(name, button.AttrOr("value", ""))
	}
	if fields := o.Get("fields"); !absent(fields) {
		given := fields.ToObject(u.rt)
		for _, name := range given.Keys() {
			values.Set(name, given.Get(name).String())
		}
	}
	return values
}

// clickLink is response.clickLink({selector, params}).
func (u *User) clickLink(a *outcome, argument goja.Value) goja.Value {
	o := u.arguments("clickLink", argument, "selector", "params")
	selector := u.or(o.Get("selector"), "a[href]")
	href, ok := u.document(u.text(a)).Find(selector).First().Attr("href")
	if !ok {
		u.throw("clickLink: no link %s on %s", selector, a.Request.URL)
	}
	return u.send(u.request(http.MethodGet, u.rt.ToValue(u.resolve(a, href).String()), nil, o.Get("params")))
}

func (u *User) arguments(what string, v goja.Value, names ...string) *goja.Object {
	if absent(v) {
		return u.rt.NewObject()
	}
	o := v.ToObject(u.rt)
	u.allow(what, o, names...)
	return o
}

func (u *User) or(v goja.Value, otherwise string) string {
	if absent(v) {
		return otherwise
	}
	return v.String()
}

// resolve is a link of the page as a whole address, without its fragment.
func (u *User) resolve(a *outcome, link string) *url.URL {
	to, err := a.Request.URL.Parse(link)
	if err != nil {
		u.throw("link %q on %s: %w", link, a.Request.URL, err)
	}
	to.Fragment = ""
	return to
}
