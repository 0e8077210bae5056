package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"madang/jobs"
	"madang/store"
	"madang/views"
)

// This file holds the two ways to send the mail of a sign-up, and the mail
// server they send it to.

// postOffice puts the sending of mail before or behind the answers of a board.
type postOffice func(
	ctx context.Context, group *errgroup.Group, db *store.Store, send map[string]jobs.Handler, board http.Handler,
) (http.Handler, error)

// behindAnswer is how a board works: a pool of workers sends.
func behindAnswer(
	ctx context.Context, group *errgroup.Group, db *store.Store, send map[string]jobs.Handler, board http.Handler,
) (http.Handler, error) {
	pool, err := jobs.NewPool(jobs.PoolOptions{
		Name: "mail", Store: db, Handlers: send, Workers: 5, Log: slog.New(slog.DiscardHandler),
		Drain: 10 * time.Millisecond, // the end of the measurement waits for no mail
	})
	if err != nil {
		return nil, err
	}
	group.Go(func() error { return pool.Run(ctx) })
	return board, nil
}

// inRequest is how the write-up's first version worked: the answer waits until
// the mail server has taken the mail.
func inRequest(
	_ context.Context, _ *errgroup.Group, db *store.Store, send map[string]jobs.Handler, board http.Handler,
) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		board.ServeHTTP(&waiting{ResponseWriter: w, until: func() error { return sendAll(r.Context(), db, send) }}, r)
	}), nil
}

// waiting is an answer that goes out once something else is done.
type waiting struct {
	http.ResponseWriter
	until func() error
}

// WriteHeader waits, and answers 500 when that went wrong.
func (w *waiting) WriteHeader(status int) {
	if w.until() != nil {
		status = http.StatusInternalServerError
	}
	w.ResponseWriter.WriteHeader(status)
}

// sendAll sends what is in the outbox.
func sendAll(ctx context.Context, db *store.Store, send map[string]jobs.Handler) error {
	claimed, err := db.ClaimJobs(ctx, []string{store.KindVerifyMail}, 10, time.Minute)
	if err != nil {
		return err
	}
	for _, job := range claimed {
		if err := send[job.Kind](ctx, job); err != nil {
			return err
		}
		if err := db.FinishJob(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

func newBenchMailer(ctx context.Context, db *store.Store, server net.Addr, site views.Site) (*jobs.Mailer, error) {
	smtp, err := jobs.NewSMTP(jobs.SMTPOptions{
		URL: "smtp://" + server.String() + "?tls=none", From: "Madang <no-reply@example.com>",
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, smtp.Close)
	return jobs.NewMailer(db, smtp, site)
}

// serveUntil answers requests until ctx ends.
func serveUntil(ctx context.Context, group *errgroup.Group, listener net.Listener, handler http.Handler) {
	server := http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		return server.Close()
	})
}

// postForm returns the status of the answer.
func postForm(ctx context.Context, browser *http.Client, address string, form url.Values) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := browser.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// slowMailServer takes every mail, after a while, and throws it away.
type slowMailServer struct{ takes time.Duration }

// serve speaks SMTP until ctx ends.
func (s slowMailServer) serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	for {
		line, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		go s.speak(ctx, line)
	}
}

func (s slowMailServer) speak(ctx context.Context, line net.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = line.Close() })
	defer stop()
	defer line.Close() //nolint:errcheck // the client has left
	say := func(words string) { _, _ = fmt.Fprintf(line, "%s\r\n", words) }
	say("220 localhost ESMTP")
	words := bufio.NewScanner(line)
	for text := false; words.Scan(); {
		verb, _, _ := strings.Cut(strings.ToUpper(words.Text()), " ")
		switch {
		case text && words.Text() == ".":
			text = false
			select {
			case <-time.After(s.takes):
			case <-ctx.Done():
			}
			say("250 taken")
		case text:
		case verb == "DATA":
			text = true
			say("354 go on")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 localhost")
		}
	}
}
