package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/store"
)

// form holds the fields of a request's body. A field sent more than once has
// its first value; the query never fills a field.
type form struct {
	values url.Values
}

// readForm reads the body of a POST. What cannot be decoded is a malformed
// request: no browser sends it.
func readForm(c echo.Context) (form, error) {
	r := c.Request()
	if err := r.ParseForm(); isTooLong(err) {
		return form{}, fmt.Errorf("read form: %w", err)
	} else if err != nil {
		return form{}, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	var size int
	for name, values := range r.PostForm {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	if size > bodyLimit {
		return form{}, &http.MaxBytesError{Limit: bodyLimit}
	}
	return form{values: r.PostForm}, nil
}

func isTooLong(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// get returns a field as it was sent, which may be no valid text: the store
// refuses that, field by field.
func (f form) get(name string) string { return f.values.Get(name) }

// has is true for a field that was sent, be it empty.
func (f form) has(name string) bool { return f.values.Has(name) }

// shown makes what was sent fit to stand in a page again.
func shown(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// formID returns the one-time id of a form, "" when it is none of ours.
func (f form) formID() string {
	id := f.get("form_id")
	if len(id) > 64 || strings.ContainsFunc(id, notAlphanumeric) {
		return ""
	}
	return id
}

func notAlphanumeric(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_'
}

// invalid returns the fields that a store method refused, nil for another error.
func invalid(err error) map[string]store.Problem {
	if refused, ok := errors.AsType[*store.InvalidError](err); ok {
		return refused.Fields
	}
	return nil
}

// pathID is the number in a path. Whatever is no id is the id of nothing.
func pathID(c echo.Context) (int64, error) {
	id, err := parseID(c.Param("id"))
	if err != nil {
		return 0, store.ErrNotFound
	}
	return id, nil
}

// parseID takes the one spelling of a positive number: no sign, no leading zero.
func parseID(s string) (int64, error) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, fmt.Errorf("%w: %q is no id", errBadRequest, s)
	}
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %q is no id", errBadRequest, s)
	}
	return id, nil
}
