package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"madang/jobs"
	"madang/store"
	"madang/views"
	"madang/web"
)

// benchSignupCmd is the experiment of the write-up "Faster answers by
// asynchronous work": a sign-up whose mail is sent before it is answered, beside
// one whose mail goes out behind the answer.
type benchSignupCmd struct {
	kind `embed:""`

	SMTPDelay time.Duration `name:"smtp-delay" default:"3.5s" placeholder:"TIME" local:"" help:"How long the mail server takes for a mail."`
	Signups   amount        `default:"9" placeholder:"N" local:"" help:"Sign-ups of each kind, one after the other."`
	JSON      bool          `name:"json" local:"" help:"Print JSON."`
}

// signupTimes are the medians of both kinds in milliseconds.
type signupTimes struct {
	InRequest float64 `json:"in_request_ms"`
	Outbox    float64 `json:"outbox_ms"`
	Ratio     float64 `json:"ratio"`
}

// Run measures both and prints a table or JSON.
func (c *benchSignupCmd) Run(ctx context.Context, s streams) error {
	if c.SMTPDelay < 0 {
		return badSetting("smtp-delay", "must be a length of time such as 3.5s")
	}
	before, err := c.measure(ctx, s.err, "sent in the request", inRequest)
	if err != nil {
		return err
	}
	behind, err := c.measure(ctx, s.err, "left to the outbox", behindAnswer)
	if err != nil {
		return err
	}
	times := signupTimes{milliseconds(before), milliseconds(behind), float64(before) / float64(behind)}
	if c.JSON {
		return printJSON(s.out, times)
	}
	_, err = fmt.Fprintf(s.out, `| mail | median answer of %d sign-ups |
|---|---|
| sent in the request | %.1f ms |
| left to the outbox | %.1f ms (%.0f times faster) |
`, c.Signups, times.InRequest, times.Outbox, times.Ratio)
	return err
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

// measure returns the median time of an answer on a board of its own.
func (c *benchSignupCmd) measure(
	ctx context.Context, progress io.Writer, name string, post postOffice,
) (took time.Duration, err error) {
	db, err := newThrowaway(ctx, c.kind, store.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	board, err := c.serve(ctx, group, db.Store, post)
	if err != nil {
		return 0, err
	}
	took, err = c.signUp(ctx, progress, name, board)
	stop()
	return took, errors.Join(err, group.Wait())
}

// signUp is one visitor after the other; the first warms up and is not counted.
func (c *benchSignupCmd) signUp(ctx context.Context, progress io.Writer, name, board string) (time.Duration, error) {
	var took []time.Duration
	for i := range int(c.Signups) + 1 {
		one, err := signUpOnce(ctx, board, i)
		if err != nil {
			return 0, fmt.Errorf("sign-up %d, mail %s: %w", i, name, err)
		}
		took = append(took, one)
		_, _ = fmt.Fprintf(progress, "\rmail %s: %d of %d sign-ups", name, i, c.Signups)
	}
	_, _ = fmt.Fprintln(progress)
	return median(took[1:]), nil
}

// signUpOnce is one visitor with a browser of their own.
func signUpOnce(ctx context.Context, board string, number int) (time.Duration, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return 0, err
	}
	browser := http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	form := url.Values{
		"email": {fmt.Sprintf("reader%d@example.com", number)}, "name": {"Reader"},
		"nickname": {fmt.Sprintf("reader%d", number)}, "password": {"correct horse battery"},
	}
	begun := time.Now()
	answer, err := postForm(ctx, &browser, board+"/auth/signup", form)
	if err != nil {
		return 0, err
	}
	if answer != http.StatusSeeOther {
		return 0, fmt.Errorf("answered %d", answer)
	}
	return time.Since(begun), nil
}

// serve runs a board until ctx ends and returns its address.
func (c *benchSignupCmd) serve(ctx context.Context, group *errgroup.Group, db *store.Store, post postOffice) (string, error) {
	mails, err := new(net.ListenConfig).Listen(ctx, "tcp", "localhost:0")
	if err != nil {
		return "", err
	}
	group.Go(func() error { return slowMailServer{takes: c.SMTPDelay}.serve(ctx, mails) })
	pages, err := new(net.ListenConfig).Listen(ctx, "tcp", "localhost:0")
	if err != nil {
		return "", err
	}
	site := views.Site{Name: siteName, BaseURL: "http://" + pages.Addr().String(), Zone: time.UTC}
	mailer, err := newBenchMailer(ctx, db, mails.Addr(), site)
	if err != nil {
		return "", err
	}
	recorder, err := jobs.NewViews(db, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	figures, err := jobs.NewFigures(time.Now)
	if err != nil {
		return "", err
	}
	server, err := web.New(web.Options{
		Store: db, Views: recorder, Pools: figures, Site: site, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		return "", err
	}
	handler, err := post(ctx, group, db, mailer.Handlers(), server.Handler())
	if err != nil {
		return "", err
	}
	serveUntil(ctx, group, pages, handler)
	return site.BaseURL, nil
}
