package jobs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// post is the back end of a real mail server that asks for a login.
type post struct{ mails, logins atomic.Int64 }

func (p *post) NewSession(*smtp.Conn) (smtp.Session, error) { return &postSession{post: p}, nil }

type postSession struct {
	post *post
	auth bool
}

func (s *postSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *postSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, pass string) error {
		if user != "user" || pass != "pass/:@" {
			return smtp.ErrAuthFailed
		}
		s.auth = true
		s.post.logins.Add(1)
		return nil
	}), nil
}

func (s *postSession) Mail(string, *smtp.MailOptions) error {
	if !s.auth {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *postSession) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (s *postSession) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	s.post.mails.Add(1)
	return err
}

func (s *postSession) Reset()        {}
func (s *postSession) Logout() error { return nil }

// selfSigned is a certificate for an address that only roots trusts.
func selfSigned(t *testing.T, ip net.IP, ends time.Time) (cert tls.Certificate, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: ends.Add(-48 * time.Hour), NotAfter: ends,
		IPAddresses: []net.IP{ip}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

// trust is a certificate and who is believed.
type trust struct {
	cert  tls.Certificate
	roots *x509.CertPool
}

func loopback() net.IP { return net.IPv4(127, 0, 0, 1) }

// startPost serves a back end over TLS, from the first byte when implicit.
func startPost(t *testing.T, p *post, cert tls.Certificate, e encryption) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(p)
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	server.ErrorLog = quiet{}
	if e == implicitTLS {
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-ended
	})
	return listener.Addr().String()
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

func TestMailGoesOverTLSWithALogin(t *testing.T) {
	cert, roots := selfSigned(t, loopback(), time.Now().Add(24*time.Hour))
	for _, e := range []encryption{startTLS, implicitTLS} {
		backend := new(post)
		address := startPost(t, backend, cert, e)
		sender := newTestSMTP(t, schemes[e]+"user:pass%2F%3A%40@"+address)
		sender.roots = roots
		if err := sender.Send(t.Context(), letter); err != nil {
			t.Errorf("%s: %v", e, err)
		}
		if backend.mails.Load() != 1 || backend.logins.Load() != 1 {
			t.Errorf("%s: %d mails, %d logins", e, backend.mails.Load(), backend.logins.Load())
		}
		wrong := newTestSMTP(t, schemes[e]+"user:wrong@"+address)
		wrong.roots = roots
		if got := ending(wrong.Send(t.Context(), letter)); got != outage {
			t.Errorf("%s: a wrong password ended %s, want %s", e, got, outage)
		}
	}
}

var schemes = map[encryption]string{startTLS: "smtp://", implicitTLS: "smtps://"}
