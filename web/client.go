package web

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// clientExtractor says how the address of a client is found: it is the peer,
// unless the peer is a trusted proxy, then the right-most untrusted entry of
// X-Forwarded-For. Loopback and private networks are trusted only when named.
func clientExtractor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{
		echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false),
	}
	for _, p := range proxies {
		p = p.Masked()
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP:   p.Addr().AsSlice(),
			Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// clientAddr is the address of the client, the zero Addr when there is none.
func clientAddr(c echo.Context) netip.Addr {
	addr, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}
