package jobs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// line is an open connection to the mail server, logged in. It carries one
// mail at a time, and any number after each other.
type line struct {
	conn    net.Conn
	session *smtp.Client
	ask     time.Duration // what the server gets to answer when no mail hangs on it
	used    bool          // it has carried a mail
}

// envelope is a mail as it travels: plain ASCII lines for one recipient.
type envelope struct {
	from, to string
	text     []byte
}

// step is one command of a hand-over.
type step string

const (
	stepReset step = "RSET"
	stepMail  step = "MAIL"
	stepRcpt  step = "RCPT"
	stepData  step = "DATA"
	stepDot   step = "end of the text"
)

// stepError says at which command a hand-over failed.
type stepError struct {
	step step
	err  error
}

func (e *stepError) Error() string { return string(e.step) + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// code is the server's reply, 0 when there was none.
func (e *stepError) code() int {
	if reply, ok := errors.AsType[*textproto.Error](e.err); ok {
		return reply.Code
	}
	return 0
}

// stale reports whether a line that had been used before may have been at
// fault, and the mail can be handed over on another: the server has not begun
// to take this mail, and what it said was not about this mail.
func (e *stepError) stale() bool {
	switch e.step {
	case stepReset, stepMail:
		return true
	case stepRcpt, stepData:
		return e.code() == 0 || e.code() == 421
	}
	return false
}

// handOver gives the mail to the server. When it returns nil the server has
// taken it. The end of ctx closes the connection, since nothing else
// interrupts what waits for a server.
func (l *line) handOver(ctx context.Context, m envelope) error {
	defer context.AfterFunc(ctx, func() { _ = l.conn.Close() })()
	if l.used {
		if err := l.reset(); err != nil {
			return &stepError{stepReset, err}
		}
	}
	l.used = true
	_ = l.conn.SetDeadline(time.Time{}) // ctx is what ends it
	if err := l.mail(m.from); err != nil {
		return &stepError{stepMail, err}
	}
	if err := l.session.Rcpt("<" + m.to + ">"); err != nil {
		return &stepError{stepRcpt, err}
	}
	return l.data(m.text)
}

// reset shows that the line still works before a mail depends on it, and
// clears what the last mail left. A server that is slow even in this is left.
func (l *line) reset() error {
	if err := l.conn.SetDeadline(time.Now().Add(l.ask)); err != nil {
		return err
	}
	return l.session.Reset()
}

// mail begins a mail. The text is plain ASCII and needs no parameter, while
// some servers offer extensions that they refuse.
func (l *line) mail(from string) error {
	text := l.session.Text
	id, err := text.Cmd("MAIL FROM:<%s>", from)
	if err != nil {
		return err
	}
	text.StartResponse(id)
	defer text.EndResponse(id)
	_, _, err = text.ReadResponse(250)
	return err
}

func (l *line) data(text []byte) error {
	w, err := l.session.Data()
	if err != nil {
		return &stepError{stepData, err}
	}
	if _, err := w.Write(text); err != nil {
		return &stepError{stepDot, err}
	}
	if err := w.Close(); err != nil {
		return &stepError{stepDot, err}
	}
	return nil
}

// usable reports whether the line can carry another mail after a hand-over
// that ended with err: the server has answered and does not hang up.
func usable(err error) bool {
	failed, ok := errors.AsType[*stepError](err)
	return err == nil || ok && failed.code() != 0 && failed.code() != 421
}

// hangUp takes leave of the server. It is for a line between two mails: after
// a text that was cut off, the next command would end it as if it were whole.
func (l *line) hangUp() {
	if l.conn.SetDeadline(time.Now().Add(l.ask)) == nil {
		_ = l.session.Quit()
	}
	_ = l.conn.Close()
}

// dial opens a line and logs in.
func (s *SMTP) dial(ctx context.Context, options ...mail.Option) (*line, error) {
	conn, err := s.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to mail server: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	client, err := s.client(conn, options...)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("set up mail client: %w", err), conn.Close())
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		_ = conn.Close() // the library leaves it open
		return nil, fmt.Errorf("greet mail server: %w", err)
	}
	return &line{conn: conn, session: session, ask: s.patience.ask}, nil
}
