package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/store/storetest"
)

func TestErrorsAndTheirStatus(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		wait   time.Duration
	}{
		{store.ErrNotFound, 404, 0},
		{store.ErrForbidden, 403, 0},
		{errCrossOrigin, 403, 0},
		{&store.TooSoonError{Wait: time.Minute}, 429, time.Minute},
		{&store.BusyError{Wait: 2 * time.Second}, 503, 2 * time.Second},
		{&store.InvalidError{Fields: map[string]store.Problem{"title": store.Missing}}, 422, 0},
		{&http.MaxBytesError{}, 413, 0},
		{errMediaType, 415, 0},
		{errBadRequest, 400, 0},
		{context.DeadlineExceeded, 503, time.Second},
		{context.Canceled, statusClientGone, 0},
		{echo.ErrMethodNotAllowed, 405, 0},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 503, outageWait},
		{errors.New("no such table"), 500, 0},
		{&panicError{value: "boom"}, 500, 0},
	} {
		status, wait := statusOf(fmt.Errorf("while testing: %w", test.err))
		if status != test.status || wait != test.wait {
			t.Errorf("%v: %d after %s, want %d after %s", test.err, status, wait, test.status, test.wait)
		}
	}
}

func TestErrorPagesTellNothingOfTheError(t *testing.T) {
	b := newBoard(t)
	b.server.echo.GET("/wait", func(echo.Context) error { return &store.BusyError{Wait: 1500 * time.Millisecond} })
	b.server.echo.GET("/fault", func(echo.Context) error { return errors.New("no such table: users") })
	b.server.echo.GET("/slow", func(echo.Context) error { return fmt.Errorf("read: %w", context.DeadlineExceeded) })
	if got := b.guest().get("/wait").wants(http.StatusServiceUnavailable).header.Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After: %q", got)
	}
	b.guest().get("/slow").wants(http.StatusServiceUnavailable).has("too much going on")
	a := b.guest().get("/fault").wants(http.StatusInternalServerError).has("Something went wrong")
	if a.doc().Find(`a[href="/"]`).Length() == 0 {
		t.Error("no way on")
	}
	if a := b.guest().send(http.MethodHead, "/nowhere", nil).wants(http.StatusNotFound); a.body != "" {
		t.Errorf("HEAD with a body: %q", a.body)
	}
}

func TestWholeSecondsAreRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		0: 0, time.Millisecond: time.Second, time.Second: time.Second, 1001 * time.Millisecond: 2 * time.Second,
	} {
		if got := wholeSeconds(d); got != want {
			t.Errorf("wholeSeconds(%s) = %s", d, got)
		}
	}
}

// unsaved is the answer to a request that changes its session and redirects,
// when the session cannot be saved.
func (b *board) unsaved(change func(echo.Context) error) *answer {
	b.t.Helper()
	b.server.echo.GET("/enter", func(c echo.Context) error {
		if err := change(c); err != nil {
			return err
		}
		if err := b.store.Close(); err != nil {
			b.t.Error(err)
		}
		return b.server.redirect(c, "/")
	}, b.server.openSession)
	return b.guest().get("/enter").wants(http.StatusInternalServerError)
}

func TestALoginWhoseSessionIsNotSavedIsNone(t *testing.T) {
	b := newBoard(t)
	member := storetest.Member(t, b.store)
	a := b.unsaved(func(c echo.Context) error { return b.server.enter(c, member) })
	if strings.Contains(a.body, member.Nickname) || !strings.Contains(a.body, "/auth/login") {
		t.Errorf("the page greets somebody who is not logged in:\n%s", a.body)
	}
}

func TestARedirectWhoseSessionIsNotSavedLeadsNowhere(t *testing.T) {
	b := newBoard(t)
	a := b.unsaved(func(c echo.Context) error {
		b.server.notify(c, "something to remember")
		return nil
	})
	if place := a.header.Get("Location"); place != "" {
		t.Errorf("the page of the error leads to %q", place)
	}
}
