package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"madang/store"
)

// certificate is one that the boards of a test may be told to trust.
type certificate struct {
	server *tls.Config
	file   string // its own root
}

func newCertificate(t *testing.T, name net.IP, ends time.Time) certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: ends.Add(-48 * time.Hour), NotAfter: ends,
		IPAddresses: []net.IP{name}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "root.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return certificate{&tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, file}
}

// trust makes the mail server encrypt with a certificate, and the board believe
// its root where it is to.
func (m *mailTest) trust(c certificate, believed bool) {
	m.sink.tls = c.server
	m.args = []string{"--smtp-url", strings.TrimSuffix(m.sink.url, "?tls=none")}
	if believed {
		m.env = []string{"SSL_CERT_FILE=" + c.file}
	}
}

func TestFaultMailServerCannotBeTrusted(t *testing.T) {
	here, elsewhere := net.IPv4(127, 0, 0, 1), net.IPv4(192, 0, 2, 1)
	tomorrow, yesterday := time.Now().Add(24*time.Hour), time.Now().Add(-24*time.Hour)
	for name, c := range map[string]struct {
		offers   []string
		cert     certificate
		believed bool
	}{
		"no STARTTLS":                   {nil, newCertificate(t, here, tomorrow), true},
		"a certificate of nobody":       {[]string{"STARTTLS"}, newCertificate(t, here, tomorrow), false},
		"a certificate that has ended":  {[]string{"STARTTLS"}, newCertificate(t, here, yesterday), true},
		"a certificate of another name": {[]string{"STARTTLS"}, newCertificate(t, elsewhere, tomorrow), true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMailTest(t)
			m.sink.offers = c.offers
			m.trust(c.cert, c.believed)
			m.start()
			m.join("somebody")
			m.wait(20*time.Second, "nobody is told", func() bool { return len(m.logged("out of order")) > 0 })
			m.wait(20*time.Second, "nobody tries again", func() bool { return m.sink.times("EHLO") >= 2 })
			if m.sink.times("MAIL")+m.sink.times("DATA") > 0 {
				t.Error("the mail was begun in the clear")
			}
			m.stop()
			m.wantJob("somebody", store.Available, "0")
			t.Logf("the log says: %s", m.logged("out of order"))
			checkAll(t, m.site, m.load)
		})
	}
}

func TestFaultMailServerThatIsTrustedGetsTheMail(t *testing.T) {
	m := newMailTest(t)
	m.sink.offers = []string{"STARTTLS"}
	m.trust(newCertificate(t, net.IPv4(127, 0, 0, 1), time.Now().Add(24*time.Hour)), true)
	m.start()
	m.join("somebody")
	m.settle(20 * time.Second * slower)
	m.wantJob("somebody", store.Done, "1")
	m.wantMails("somebody", 1)
	m.finish()
}
