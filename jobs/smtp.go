package jobs

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"slices"
	"time"

	"github.com/wneessen/go-mail"
)

// patience is how long a mail server may take.
type patience struct {
	connect time.Duration // to the open connection
	send    time.Duration // for a mail, with connection and login
	ask     time.Duration // for a command on which no mail hangs
	idle    time.Duration // how long a line is kept without a mail
}

// usualPatience lets every mail end within the lease of its job (30 s).
func usualPatience() patience {
	return patience{connect: 10 * time.Second, send: 25 * time.Second, ask: 2 * time.Second, idle: 5 * time.Second}
}

// SMTPOptions says where mail goes and who it is from.
type SMTPOptions struct {
	URL  string // see [ParseMailServer]
	From string // see [ParseFrom]
}

// SMTP is the [Sender] that hands mail to a mail server. It may be used by
// many goroutines at once, each of which speaks on a connection of its own.
type SMTP struct {
	server   MailServer
	from     netmail.Address
	roots    *x509.CertPool // nil: those of the system
	patience patience
	lines    openLines
}

// NewSMTP checks the options; it does not connect.
func NewSMTP(o SMTPOptions) (*SMTP, error) {
	server, err := ParseMailServer(o.URL)
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	from, err := ParseFrom(o.From)
	if err != nil {
		return nil, fmt.Errorf("sender of mail: %w", err)
	}
	return &SMTP{server: server, from: from, patience: usualPatience()}, nil
}

// Close takes leave of the server on all connections that wait for another
// mail. A mail that is sent later goes out on a connection for itself.
func (s *SMTP) Close() { s.lines.close() }

// Send hands the mail over, on an open connection if there is one. It returns
// nil as soon as the server has taken the mail, whatever happens afterwards:
// reporting that as a failure would send the mail twice.
func (s *SMTP) Send(ctx context.Context, m Mail) error {
	mail, err := s.seal(m)
	if err != nil {
		return Permanent(fmt.Errorf("compose mail: %w", err))
	}
	within, cancel := context.WithTimeoutCause(ctx, s.patience.send, errSlowServer)
	defer cancel()
	err = s.transmit(within, mail)
	if err != nil && within.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(within), err)
	}
	switch {
	case err == nil:
		return nil
	case refused(err):
		return Permanent(err)
	case ctx.Err() == nil && outOfOrder(err):
		return Outage(&concealedError{text: s.server.scrub(err.Error()), err: err})
	}
	return err
}

var errSlowServer = errors.New("the mail server took too long")

// seal composes the mail, all of it before the server hears of it: what
// fails half-way must not be half sent.
func (s *SMTP) seal(m Mail) (envelope, error) {
	msg, err := compose(s.from, m)
	if err != nil {
		return envelope{}, err
	}
	var text bytes.Buffer
	if _, err := msg.WriteTo(&text); err != nil {
		return envelope{}, err
	}
	return envelope{from: s.from.Address, to: m.To, text: text.Bytes()}, nil
}

// refused reports whether the server refused this recipient or this mail for
// good: 5xx to RCPT or to the end of the text. That it wants a login first
// (53x) is no word about either.
func refused(err error) bool {
	failed, ok := errors.AsType[*stepError](err)
	if !ok || failed.step != stepRcpt && failed.step != stepDot {
		return false
	}
	code := failed.code()
	return code >= 500 && code/10 != 53
}

// outOfOrder reports whether the server or our set-up is at fault: nothing of
// the mail was said yet, so any other would have fared the same. A "later" to
// MAIL alone is taken as meant for this mail.
func outOfOrder(err error) bool {
	failed, ok := errors.AsType[*stepError](err)
	if !ok {
		return true // there is no line to the server
	}
	return failed.step == stepMail && failed.code()/100 != 4
}

// transmit hands the mail over on an open line, or else on a new one. It does
// so too when the open line turns out to be dead, which is no try of the mail.
func (s *SMTP) transmit(ctx context.Context, m envelope) error {
	if l := s.lines.take(); l != nil {
		err := s.use(ctx, l, m)
		failed, ok := errors.AsType[*stepError](err)
		if !ok || !failed.stale() || ctx.Err() != nil {
			return err
		}
	}
	l, err := s.dial(ctx)
	if err != nil {
		return err
	}
	return s.use(ctx, l, m)
}

// use hands the mail over on a line, and keeps the line for the next mail.
func (s *SMTP) use(ctx context.Context, l *line, m envelope) error {
	err := l.handOver(ctx, m)
	if usable(err) {
		s.lines.put(l, s.patience.idle)
	} else {
		_ = l.conn.Close()
	}
	return err
}

// connect opens the line, for smtps with its TLS handshake.
func (s *SMTP) connect(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience.connect)
	defer cancel()
	if s.server.encryption == implicitTLS {
		return (&tls.Dialer{Config: s.tlsConfig()}).DialContext(ctx, "tcp", s.server.address())
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.server.address())
}

func (s *SMTP) tlsConfig() *tls.Config {
	return &tls.Config{ServerName: s.server.host, MinVersion: tls.VersionTLS12, RootCAs: s.roots}
}

// client is the go-mail client for one open connection.
func (s *SMTP) client(conn net.Conn, more ...mail.Option) (*mail.Client, error) {
	options := []mail.Option{
		mail.WithPort(s.server.port),
		mail.WithTimeout(s.patience.send),
		mail.WithDialContextFunc(func(context.Context, string, string) (net.Conn, error) { return conn, nil }),
		mail.WithTLSConfig(s.tlsConfig()),
	}
	switch s.server.encryption {
	case startTLS:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	case implicitTLS:
		options = append(options, mail.WithSSL())
	case noTLS:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	return mail.NewClient(s.server.host, slices.Concat(options, s.login(), more)...)
}

// login offers the mechanisms from the strongest to those every server has.
// The last two in clear are for this machine only, see MailServer.
func (s *SMTP) login() []mail.Option {
	if s.server.user == "" {
		return nil
	}
	plain, login := mail.SMTPAuthPlain, mail.SMTPAuthLogin
	if s.server.encryption == noTLS {
		plain, login = mail.SMTPAuthPlainNoEnc, mail.SMTPAuthLoginNoEnc
	}
	return []mail.Option{
		mail.WithUsername(s.server.user), mail.WithPassword(s.server.pass),
		mail.WithOpportunisticSMTPAuth(mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, plain, login, mail.SMTPAuthCramMD5),
	}
}
