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
		addr, _ := readAddr(r.RemoteAddr)
		entries := strings.Split(strings.Join(r.Header.Values(headerFor), ","), ",")
		for _, entry := range slices.Backward(entries) {
			next, ok := readAddr(strings.TrimSpace(entry))
			if !ok || !isWithin(addr, trusted) {
				break
			}
			addr = next
		}
		return addr.String()
	}
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
