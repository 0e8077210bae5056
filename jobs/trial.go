package jobs

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"slices"
	"strings"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/log"
)

// TrialStep is one step on the way of a mail to the server, as an operator
// thinks of it.
type TrialStep string

// The steps in their order.
const (
	TrialConnection TrialStep = "connection"
	TrialTLS        TrialStep = "TLS"
	TrialLogin      TrialStep = "login"
	TrialSender     TrialStep = "sender"
	TrialRecipient  TrialStep = "recipient"
	TrialHandOver   TrialStep = "handed over"
)

// Trial is what became of one step, without the password.
type Trial struct {
	Step    TrialStep
	Words   string // of a step that went well
	Skipped bool   // the settings leave it out
	Err     error  // why it did not go well
}

// Try hands a mail over as [SMTP.Send] does, on a line of its own, and tells
// what became of each step as soon as it is known. It ends with the first step
// that fails, whose error it returns.
func (s *SMTP) Try(ctx context.Context, m Mail, tell func(Trial)) error {
	mail, err := s.seal(m)
	if err != nil {
		return fmt.Errorf("compose mail: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.patience.send, errSlowServer)
	defer cancel()
	t := &trial{smtp: s, tell: tell}
	l, err := t.dial(ctx)
	if err != nil {
		return err
	}
	if err = t.handOver(ctx, l, mail); usable(err) {
		l.hangUp()
	} else {
		_ = l.conn.Close()
	}
	return err
}

// trial follows a mail on its way.
type trial struct {
	smtp *SMTP
	tell func(Trial)
	heard
}

func (t *trial) well(step TrialStep, words string) { t.tell(Trial{Step: step, Words: words}) }

func (t *trial) badly(ctx context.Context, step TrialStep, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	// Scrubbed first: what is cut off could leave a part of the password.
	failed := &concealedError{text: t.smtp.server.scrub(err.Error()), err: err}
	failed.text = reason(failed)
	t.tell(Trial{Step: step, Err: failed})
	return failed
}

// dial opens a line. What the library says in one error is told apart by what
// it said to the server before.
func (t *trial) dial(ctx context.Context) (*line, error) {
	l, err := t.smtp.dial(ctx, mail.WithDebugLog(), mail.WithLogger(&t.heard))
	if err == nil {
		t.well(TrialConnection, t.smtp.server.address())
		t.secrecy(l)
		t.login()
		return l, nil
	}
	step := t.failedAt(t.smtp.server.encryption, err)
	if step != TrialConnection {
		t.well(TrialConnection, t.smtp.server.address())
	}
	if step == TrialLogin {
		t.secrecy(nil)
	}
	return nil, t.badly(ctx, step, err)
}

// secrecy tells how a line is encrypted, of which no more is known when it was
// given up.
func (t *trial) secrecy(l *line) {
	if t.smtp.server.encryption == noTLS {
		t.tell(Trial{Step: TrialTLS, Words: "tls=none is set: everything travels in clear", Skipped: true})
		return
	}
	words := "the connection is encrypted"
	if l != nil {
		if state, ok := l.session.TLSConnectionState(); ok {
			words = tls.VersionName(state.Version) + ", with a certificate of " + t.smtp.server.host + " that is trusted"
		}
	}
	t.well(TrialTLS, words)
}

func (t *trial) login() {
	if t.smtp.server.user == "" {
		t.tell(Trial{Step: TrialLogin, Words: "the URL has no user and password", Skipped: true})
		return
	}
	t.well(TrialLogin, "user and password are accepted")
}

func (t *trial) handOver(ctx context.Context, l *line, m envelope) error {
	err := l.handOver(ctx, m)
	failed, _ := errors.AsType[*stepError](err)
	for _, step := range []struct {
		name  TrialStep
		words string
		steps []step
	}{
		{TrialSender, m.from, []step{stepReset, stepMail}},
		{TrialRecipient, m.to, []step{stepRcpt}},
		{TrialHandOver, "the server has taken the mail", []step{stepData, stepDot}},
	} {
		if failed != nil && slices.Contains(step.steps, failed.step) {
			return t.badly(ctx, step.name, failed)
		}
		t.well(step.name, step.words)
	}
	return err
}

// heard is what has been said on a line so far. It is the log of the library,
// which leaves the login out and holds no answer that refused something.
type heard struct {
	said                               string // by us, the last time
	greeted, encrypting, secured, auth bool
}

// Debugf hears one line of the talk.
func (h *heard) Debugf(l log.Log) {
	switch {
	case l.Direction == log.DirClientToServer:
		h.said, _, _ = strings.Cut(fmt.Sprintf(l.Format, l.Messages...), " ")
		h.encrypting = h.encrypting || h.said == "STARTTLS"
		h.auth = h.auth || h.said == "<SMTP"
	case h.said == "EHLO" || h.said == "HELO":
		h.greeted, h.secured = true, h.encrypting
	}
}

// Infof is never called.
func (h *heard) Infof(log.Log) {}

// Warnf is never called.
func (h *heard) Warnf(log.Log) {}

// Errorf is never called.
func (h *heard) Errorf(log.Log) {}

// failedAt is the step at which no line came about.
func (h *heard) failedAt(e encryption, err error) TrialStep {
	_, answered := errors.AsType[*textproto.Error](err)
	dialing, ok := errors.AsType[*net.OpError](err)
	switch {
	case ok && dialing.Op == "dial":
		return TrialConnection
	case h.auth, h.secured, h.greeted && e != startTLS:
		return TrialLogin
	case h.greeted, e == implicitTLS && !answered:
		return TrialTLS
	}
	return TrialConnection
}
