package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"

	"madang/jobs"
	"madang/store"
	"madang/views"
)

// mailCmd groups what concerns mail.
type mailCmd struct {
	Test mailTestCmd `cmd:"" help:"Send a test mail now, by the settings that serve would use, and say what became of each step. The exit status is not 0 when it was not handed over."`
}

// mailTestCmd sends one mail.
type mailTestCmd struct {
	storage     `embed:""`
	whereabouts `embed:""`
	outgoing    `embed:""`

	Address recipient `arg:"" name:"address" help:"Who gets the mail."`
}

// recipient is an address that mail can be sent to.
type recipient string

// UnmarshalText reads the address.
func (r *recipient) UnmarshalText(text []byte) error {
	if jobs.CheckAddress(string(text)) != nil {
		return fmt.Errorf("must be a plain address such as you@example.org, not %q", text)
	}
	*r = recipient(text)
	return nil
}

// Run sends the mail, or keeps it where mail is kept without a mail server.
func (c *mailTestCmd) Run(ctx context.Context, s streams) error {
	c.settle()
	mail, err := c.mail(ctx)
	if err != nil {
		return err
	}
	if c.SMTPURL == "" {
		return c.keep(ctx, s, mail)
	}
	server, err := jobs.NewSMTP(jobs.SMTPOptions{URL: string(c.SMTPURL), From: string(c.MailFrom)})
	if err != nil {
		return err
	}
	var last jobs.TrialStep
	err = server.Try(ctx, mail, func(t jobs.Trial) {
		last = t.Step
		tellTrial(s.out, t)
	})
	if last == "" && err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; %s", errNotHandedOver, trialHint(last))
	}
	return nil
}

// errNotHandedOver ends the steps that were told.
var errNotHandedOver = errors.New("the mail was not handed over")

// trialHint says where to look after a step that failed.
func trialHint(step jobs.TrialStep) string {
	switch step {
	case jobs.TrialConnection:
		return "look at host and port of --smtp-url, and at firewalls on the way"
	case jobs.TrialTLS:
		return "look at scheme, port and tls= of --smtp-url: smtps:// is mostly for port 465, smtp:// for 587; the certificate must be that of the host and not have run out"
	case jobs.TrialLogin:
		return "look at user and password of --smtp-url; special characters are written as %XX"
	case jobs.TrialSender:
		return "look at --mail-from, which the server must let this user send by"
	case jobs.TrialRecipient:
		return "the server does not take mail for this address, or not now"
	case jobs.TrialHandOver:
		return "the server did not take the text, or its answer got lost"
	}
	return ""
}

// settle fills in what follows from the listen address.
func (c *mailTestCmd) settle() {
	if c.BaseURL.url == nil {
		port, _ := strconv.Atoi(c.Addr.port) // read as a number already
		c.BaseURL = c.Addr.publicURL(port)
	}
	if c.MailFrom == "" {
		c.MailFrom = c.BaseURL.defaultSender()
	}
}

func (c *mailTestCmd) mail(ctx context.Context) (jobs.Mail, error) {
	site := views.Site{Name: siteName, BaseURL: c.BaseURL.String(), Prefix: c.BaseURL.prefix()}
	body, err := views.TrialMail{Site: site, Lang: views.English}.Render(ctx)
	return jobs.Mail{
		To: string(c.Address), Lang: string(views.English), MessageID: rand.Text(),
		Subject: body.Subject, Text: body.Text, HTML: body.HTML,
	}, err
}

func (c *mailTestCmd) keep(ctx context.Context, s streams, mail jobs.Mail) error {
	err := c.with(ctx, func(db *store.Store) error {
		box, err := jobs.NewMailbox(db)
		if err != nil {
			return err
		}
		return box.Send(ctx, mail)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "No mail server is set (--smtp-url), so mail goes to the built-in mailbox. The test mail is there, at %s/dev/mail while the board runs.\n", c.BaseURL)
	return err
}

// tellTrial writes a line for a step.
func tellTrial(w io.Writer, t jobs.Trial) {
	words, outcome := t.Words, "ok"
	switch {
	case t.Err != nil:
		words, outcome = t.Err.Error(), "FAILED"
	case t.Skipped:
		outcome = "-"
	}
	fmt.Fprintf(w, "%-12s %-7s %s\n", t.Step, outcome, words)
}
