package main

import (
	"context"
	"log/slog"

	"madang/jobs"
	"madang/store"
)

// mailPart is the pool of mail, which goes to the mail server or is kept.
func (c *serveCmd) mailPart(db *store.Store, figures *jobs.Figures, counted *metrics, log *slog.Logger) (part, error) {
	if c.SMTPURL != "" {
		return c.serverPart(db, figures, counted, log)
	}
	mailbox, err := jobs.NewMailbox(db)
	if err != nil {
		return part{}, err
	}
	pool, err := c.mailPool(db, mailbox, nil, figures, counted, log)
	if err != nil {
		return part{}, err
	}
	return part{"mail pool", pool.Run}, nil
}

func (c *serveCmd) serverPart(db *store.Store, figures *jobs.Figures, counted *metrics, log *slog.Logger) (part, error) {
	server, err := jobs.NewSMTP(jobs.SMTPOptions{URL: string(c.SMTPURL), From: string(c.MailFrom)})
	if err != nil {
		return part{}, err
	}
	breaker, err := jobs.NewBreaker(jobs.BreakerOptions{Alarm: store.AlarmMail, Store: db, Log: log, Now: db.Now})
	if err != nil {
		return part{}, err
	}
	pool, err := c.mailPool(db, breaker.Guard(server), breaker, figures, counted, log)
	if err != nil {
		return part{}, err
	}
	return part{"mail pool", func(ctx context.Context) error {
		defer server.Close()
		return pool.Run(ctx)
	}}, nil
}

func (c *serveCmd) mailPool(
	db *store.Store, sender jobs.Sender, breaker *jobs.Breaker, figures *jobs.Figures, counted *metrics, log *slog.Logger,
) (*jobs.Pool, error) {
	mailer, err := jobs.NewMailer(db, sender, c.site())
	if err != nil {
		return nil, err
	}
	return jobs.NewPool(jobs.PoolOptions{
		Name: "mail", Store: db, Handlers: mailer.Handlers(), Workers: int(c.MailWorkers),
		Breaker: breaker, Figures: figures, Ended: counted.watchPool(), Log: log, Now: db.Now,
	})
}
