package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// clientExtractor says how the address of a client is found: it is the peer,
// unless the peer is a trusted proxy, then the right-most untrusted entry of
// X-Forwarded-For. Loopback and private networks are trusted only when named.
func clientExtractor(trusted []netip.Prefix) echo.IPExtractor {
	return func(r *http.Request) string {
		client, _ := trace(r, trusted)
		return client.String()
	}
}

// trace follows a request back through the trusted proxies and counts them. The
// client is who came to the outermost of them.
func trace(r *http.Request, trusted []netip.Prefix) (client netip.Addr, proxies int) {
	client, _ = readAddr(r.RemoteAddr)
	said := entries(r, headerFor)
	for isWithin(client, trusted) {
		proxies++
		if len(said) == 0 {
			break
		}
		next, ok := readAddr(said[len(said)-1])
		if !ok {
			break
		}
		client, said = next, said[:len(said)-1]
	}
	return client, proxies
}

// entries are the parts of a header that each proxy adds to, in lower case.
func entries(r *http.Request, header string) []string {
	all := strings.ToLower(strings.Join(r.Header.Values(header), ","))
	if all == "" {
		return nil
	}
	parts := strings.Split(all, ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	return parts
}

// readAddr reads an address, which some proxies write with its port: what they
// say would otherwise count for nothing, and all visitors for one.
func readAddr(s string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if err != nil {
		withPort, err := netip.ParseAddrPort(s)
		if err != nil {
			return netip.Addr{}, false
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), true
}

func isWithin(addr netip.Addr, prefixes []netip.Prefix) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// clientAddr is the address of the client, the zero Addr when there is none.
func clientAddr(c echo.Context) netip.Addr {
	addr, _ := readAddr(c.RealIP())
	return addr
}
