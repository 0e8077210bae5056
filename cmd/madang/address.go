package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// address is where the board listens, HOST:PORT. Without a host it listens on
// all addresses of the machine; with port 0 the system chooses one.
type address struct{ host, port string }

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

// UnmarshalText reads HOST:PORT.
func (a *address) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || (host != "" && !isIP(host) && !hostName.MatchString(host)) {
		return fmt.Errorf("must be HOST:PORT such as localhost:8080, not %q", text)
	}
	*a = address{host: host, port: port}
	return nil
}

// String returns the address as package net takes it.
func (a address) String() string { return net.JoinHostPort(a.host, a.port) }

// publicURL returns the address of the board seen from its own machine. The
// port is the one that really listens, which differs when 0 was asked for.
func (a address) publicURL(port int) publicURL {
	host := a.host
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "localhost"
	}
	u := &url.URL{Scheme: "http", Host: net.JoinHostPort(host, strconv.Itoa(port))}
	return publicURL{canonical(u)}
}

// publicURL is the address of the board as its readers know it. The zero
// value stands for none given.
type publicURL struct{ url *url.URL }

// plainPath is a path that looks the same with and without escapes.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// UnmarshalText reads the address; a trailing slash is dropped.
func (p *publicURL) UnmarshalText(text []byte) error {
	u, err := parsePublicURL(string(text))
	if err != nil {
		return errors.New("must be http:// or https:// with a host and at most a path of plain letters, such as https://example.org/board")
	}
	p.url = u
	return nil
}

var errPublicURL = errors.New("not the address of a site")

func parsePublicURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	extra := u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil || u.Opaque != "" || strings.HasSuffix(s, "#")
	if (u.Scheme != "http" && u.Scheme != "https") || extra || !plainPath.MatchString(path) {
		return nil, errPublicURL
	}
	host, err := canonicalHost(u)
	if err != nil {
		return nil, err
	}
	return canonical(&url.URL{Scheme: u.Scheme, Host: host, Path: path}), nil
}

// canonicalHost returns the host in ASCII and lower case, with its port.
func canonicalHost(u *url.URL) (string, error) {
	name, port := u.Hostname(), u.Port()
	if _, err := strconv.ParseUint(port, 10, 16); port != "" && err != nil {
		return "", errPublicURL
	}
	if !isIP(name) {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil || !hostName.MatchString(ascii) {
			return "", errPublicURL
		}
		name = ascii
	}
	if port == "" {
		return strings.TrimSuffix(net.JoinHostPort(name, ""), ":"), nil
	}
	return net.JoinHostPort(name, port), nil
}

// canonical drops the port that the scheme implies, as browsers do in Origin.
func canonical(u *url.URL) *url.URL {
	if (u.Scheme == "http" && u.Port() == "80") || (u.Scheme == "https" && u.Port() == "443") {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	return u
}

// String returns the address without a trailing slash, "" when none is given.
func (p publicURL) String() string {
	if p.url == nil {
		return ""
	}
	return p.url.String()
}

// prefix returns the path below which the board lies, "" at the root.
func (p publicURL) prefix() string { return p.url.Path }

// defaultSender returns the sender of a board at this address. An IP address
// is no domain of mail, so there it is the machine's own.
func (p publicURL) defaultSender() sender {
	host := p.url.Hostname()
	if isIP(host) {
		host = "localhost"
	}
	return sender("Madang <no-reply@" + host + ">")
}

// isLoopback tells a host that only this machine reaches.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}

func isIP(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}
