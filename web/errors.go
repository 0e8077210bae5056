package web

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// statusClientGone stands in the log where nobody was left to answer.
const statusClientGone = 499

// outageWait is when to come again while the database is out of reach.
const outageWait = 5 * time.Second

// statusOf is the only table from errors to answers. The words for a status
// are the business of the error page; the error's own text never leaves the log.
// The duration is how long to wait before trying again, 0 for none.
func statusOf(err error) (int, time.Duration) {
	var (
		tooSoon *store.TooSoonError
		busy    *store.BusyError
		routing *echo.HTTPError
	)
	switch {
	case errors.As(err, &tooSoon):
		return http.StatusTooManyRequests, tooSoon.Wait
	case errors.As(err, &busy):
		return http.StatusServiceUnavailable, busy.Wait
	case invalid(err) != nil:
		return http.StatusUnprocessableEntity, 0
	case isTooLong(err):
		return http.StatusRequestEntityTooLarge, 0
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound, 0
	case errors.Is(err, store.ErrForbidden), errors.Is(err, errCrossOrigin):
		return http.StatusForbidden, 0
	case errors.Is(err, errMediaType):
		return http.StatusUnsupportedMediaType, 0
	case errors.Is(err, errBadRequest):
		return http.StatusBadRequest, 0
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, time.Second
	case errors.Is(err, context.Canceled):
		return statusClientGone, 0
	case errors.As(err, &routing):
		return routing.Code, 0
	case store.Unavailable(err):
		return http.StatusServiceUnavailable, outageWait
	}
	return http.StatusInternalServerError, 0
}

// errorPage answers with what went wrong, in words for people.
func (s *Server) errorPage(err error, c echo.Context) {
	status, wait := statusOf(err)
	s.logError(c, err, status)
	if c.Response().Committed {
		return
	}
	// The time of the request may be up; its error page still gets made.
	c.SetRequest(c.Request().WithContext(context.WithoutCancel(c.Request().Context())))
	setRetryAfter(c, wait)
	page := views.Error(views.ErrorPage{
		Page:       s.barePage(c),
		Status:     status,
		RequestID:  visitOf(c).id,
		RetryAfter: wholeSeconds(wait),
	})
	if err := s.render(c, status, page); err != nil {
		s.lastResort(c, err)
	}
}

// lastResort answers when not even the error page could be made or the
// session not be saved with it.
func (s *Server) lastResort(c echo.Context, err error) {
	s.logError(c, err, http.StatusInternalServerError)
	if c.Response().Committed {
		return
	}
	status, _ := statusOf(err)
	_ = s.answer(c, status, plainText, []byte(http.StatusText(status)+"\n")) // the line is gone; logged above
}

// logError writes a fault of ours once; what a visitor did wrong is told by
// the line of the request, but for the two that watchers look for.
func (s *Server) logError(c echo.Context, err error, status int) {
	_, busy := errors.AsType[*store.BusyError](err)
	switch {
	case status == statusClientGone:
		s.event(c, slog.LevelDebug, "client went away")
	case busy && !store.Unavailable(err): // of password hashes: nothing is at fault
		s.event(c, slog.LevelWarn, "limit hit", slog.String("why", err.Error()))
	case status >= http.StatusInternalServerError:
		attrs := []slog.Attr{slog.Any("err", err)}
		if panicked, ok := errors.AsType[*panicError](err); ok {
			attrs = append(attrs, slog.String("stack", string(panicked.stack)))
		}
		s.event(c, slog.LevelError, "request failed", attrs...)
	case status == http.StatusForbidden:
		s.event(c, slog.LevelInfo, "denied", slog.String("why", err.Error()))
	case status == http.StatusTooManyRequests:
		s.event(c, slog.LevelInfo, "limit hit", slog.String("why", err.Error()))
	}
}

func setRetryAfter(c echo.Context, wait time.Duration) {
	if wait > 0 {
		seconds := int(wholeSeconds(wait) / time.Second)
		c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
	}
}

// wholeSeconds rounds up: coming back a moment early would be too soon again.
func wholeSeconds(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(d.Seconds())) * time.Second
}
