package jobs

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// encryption is how a line to a mail server is kept secret.
type encryption string

const (
	startTLS    encryption = "starttls" // required, never skipped
	implicitTLS encryption = "smtps"
	noTLS       encryption = "none"
)

// MailServer is where mail is handed over, read from a URL by [ParseMailServer].
type MailServer struct {
	host       string
	port       int
	user, pass string
	encryption encryption
}

// serverForms ends the errors.
const serverForms = "allowed are smtp://user:pass@host:587?tls=starttls, smtps://user:pass@host:465 and smtp://host:25?tls=none" //nolint:gosec // no credentials: the form of an address

// ParseMailServer reads the address of a mail server. Its errors are one line
// that says what is allowed, and never hold the password.
func ParseMailServer(raw string) (MailServer, error) {
	u, err := url.Parse(raw)
	if err != nil {
		// The error of url.Parse quotes its input, password included.
		return MailServer{}, errors.New("not a URL (special characters of a password are written as %XX): " + serverForms)
	}
	s := MailServer{host: u.Hostname(), user: u.User.Username()}
	s.pass, _ = u.User.Password()
	if s.host == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return MailServer{}, errors.New("a host and nothing behind it is needed: " + serverForms)
	}
	if s.encryption, err = parseEncryption(u); err != nil {
		return MailServer{}, err
	}
	if s.port, err = parsePort(u.Port(), s.encryption); err != nil {
		return MailServer{}, err
	}
	return s, s.checkCredentials(u.User != nil)
}

func parseEncryption(u *url.URL) (encryption, error) {
	query, err := url.ParseQuery(u.RawQuery)
	policy, given := query["tls"]
	others := len(query) - min(len(policy), 1)
	switch {
	case err != nil || others > 0 || len(policy) > 1:
		return "", errors.New("the only parameter is tls: " + serverForms)
	case u.Scheme == "smtps" && !given:
		return implicitTLS, nil
	case u.Scheme == "smtp" && (!given || policy[0] == string(startTLS)):
		return startTLS, nil
	case u.Scheme == "smtp" && policy[0] == string(noTLS):
		return noTLS, nil
	}
	return "", errors.New("unknown scheme or tls: " + serverForms)
}

func parsePort(given string, e encryption) (int, error) {
	if given == "" {
		return map[encryption]int{startTLS: 587, implicitTLS: 465, noTLS: 25}[e], nil
	}
	port, err := strconv.Atoi(given)
	if err != nil || port < 1 || port > 65535 {
		return 0, fmt.Errorf("port %s is not between 1 and 65535", given)
	}
	return port, nil
}

// checkCredentials refuses half a pair, and a password that would travel in
// clear over anything but this machine.
func (s MailServer) checkCredentials(given bool) error {
	switch {
	case given && (s.user == "" || s.pass == ""):
		return errors.New("user and password go together: " + serverForms)
	case given && s.encryption == noTLS && !s.loopback():
		return errors.New("with tls=none a password is allowed to localhost only; use tls=starttls or smtps://")
	}
	return nil
}

func (s MailServer) loopback() bool {
	ip, err := netip.ParseAddr(s.host)
	return s.host == "localhost" || err == nil && ip.IsLoopback()
}

func (s MailServer) address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// String returns the address without the password, for logs.
func (s MailServer) String() string { return s.address() + " (tls: " + string(s.encryption) + ")" }

// scrub takes the credentials out of what a server said, which may well quote
// what it refuses, in clear or as it travels.
func (s MailServer) scrub(text string) string {
	if s.pass == "" {
		return text
	}
	encode := base64.StdEncoding.EncodeToString
	return strings.NewReplacer(
		s.pass, "[password]",
		encode([]byte(s.pass)), "[password]",
		encode([]byte("\x00"+s.user+"\x00"+s.pass)), "[credentials]",
	).Replace(text)
}
