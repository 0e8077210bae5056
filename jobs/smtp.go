package jobs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/textproto"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// The time a hand-over may take. The whole stays below the lease of a job (30 s).
const (
	connectWithin = 10 * time.Second
	sendWithin    = 25 * time.Second
	quitWithin    = 2 * time.Second
)

// SMTPOptions says where mail goes and who it is from.
type SMTPOptions struct {
	URL  string // see [ParseMailServer]
	From string // see [ParseFrom]
}

// SMTP is the [Sender] that hands mail to a mail server.
type SMTP struct {
	server MailServer
	from   netmail.Address
	roots  *x509.CertPool // nil: those of the system
	within time.Duration
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
	return &SMTP{server: server, from: from, within: sendWithin}, nil
}

// Send hands the mail over on a connection of its own. It returns nil as soon
// as the server has taken the mail, whatever happens on the line afterwards:
// reporting that as a failure would send the mail twice.
func (s *SMTP) Send(ctx context.Context, m Mail) error {
	msg, err := compose(s.from, m)
	if err != nil {
		return Permanent(fmt.Errorf("compose mail: %w", err))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.within, errSlowServer)
	defer cancel()
	err = s.transmit(ctx, msg)
	switch {
	case msg.IsDelivered():
		return nil
	case refused(err):
		return Permanent(err)
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

var errSlowServer = errors.New("the mail server took too long")

// refused reports whether the server refused this recipient or this mail for
// good: 5xx to RCPT or to the final dot. A 5xx to anything before is a fault
// of our set-up, which the operator can mend while the mail waits.
func refused(err error) bool {
	var failure *mail.SendError
	if !errors.As(err, &failure) || failure.ErrorCode() < 500 {
		return false
	}
	return failure.Reason == mail.ErrSMTPRcptTo || failure.Reason == mail.ErrSMTPDataClose
}

// transmit speaks with the server. go-mail heeds a context only while it
// dials, so the end of ctx closes the connection under it.
func (s *SMTP) transmit(ctx context.Context, msg *mail.Msg) error {
	conn, err := s.connect(ctx)
	if err != nil {
		return fmt.Errorf("connect to mail server: %w", err)
	}
	defer conn.Close() //nolint:errcheck // QUIT has closed it when all went well
	unbind := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer unbind()

	client, err := s.client(conn)
	if err != nil {
		return fmt.Errorf("set up mail client: %w", err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("greet mail server: %w", err)
	}
	err = client.SendWithSMTPClient(session, msg)
	// A server that does not answer QUIT must not hold the worker.
	if conn.SetDeadline(time.Now().Add(quitWithin)) == nil {
		_ = client.CloseWithSMTPClient(session)
	}
	return err
}

// connect opens the line, for smtps with its TLS handshake.
func (s *SMTP) connect(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
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
func (s *SMTP) client(conn net.Conn) (*mail.Client, error) {
	options := []mail.Option{
		mail.WithPort(s.server.port),
		mail.WithTimeout(s.within),
		mail.WithDialContextFunc(func(context.Context, string, string) (net.Conn, error) { return conn, nil }),
		mail.WithTLSConfig(s.tlsConfig()),
		// One mail per connection needs neither; each could only fail.
		mail.WithoutNoop(), mail.WithoutRset(),
		// The message is plain ASCII, and some servers offer what they refuse.
		mail.WithoutSMTPUTF8(),
	}
	switch s.server.encryption {
	case startTLS:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	case implicitTLS:
		options = append(options, mail.WithSSL())
	case noTLS:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	client, err := mail.NewClient(s.server.host, append(options, s.login()...)...)
	if err != nil {
		return nil, err
	}
	client.ErrorHandlerRegistry.RegisterHandler(s.server.host, "mail", plainMail{s.from.Address})
	return client, nil
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

// plainMail gives a server that offers BODY=8BITMIME but refuses it the plain
// MAIL FROM instead. The message is 7-bit, so nothing is lost.
type plainMail struct{ from string }

// HandleError implements [smtp.ResponseErrorHandler]: it answers the refusal
// with the plain command, whose reply go-mail then takes for that of the first.
func (p plainMail) HandleError(_, _ string, conn *textproto.Conn, err error) error {
	var reply *textproto.Error
	if !errors.As(err, &reply) || reply.Code != 501 && reply.Code != 504 && reply.Code != 555 {
		return err
	}
	return conn.PrintfLine("MAIL FROM:<%s>", p.from)
}

var _ smtp.ResponseErrorHandler = plainMail{}
