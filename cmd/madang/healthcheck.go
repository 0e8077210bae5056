package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// healthcheckCmd asks the board of this machine whether it is ready, for what
// starts and watches containers: such an image has no curl.
type healthcheckCmd struct {
	Addr address `default:"localhost:8080" placeholder:"HOST:PORT" help:"Address that madang serve listens on."`
}

// Help goes on below the help of the flags.
func (healthcheckCmd) Help() string {
	return `It asks /readyz at the address where serve listens: 0.0.0.0 and [::] stand for this machine. The board is ready
when its database takes writes and it is not about to stop.

Examples:
  madang healthcheck
  MADANG_ADDR=0.0.0.0:8080 madang healthcheck
  HEALTHCHECK CMD ["/madang", "healthcheck"]       (in a Dockerfile)`
}

// healthWithin is how long an answer is waited for; readyz itself says no after
// two seconds.
const healthWithin = 4 * time.Second

// Run asks once and prints one line.
func (c *healthcheckCmd) Run(ctx context.Context, s streams) error {
	if c.Addr.port == "0" {
		return badSetting("addr", "must name the port; with 0 the system has chosen one that only the board knows")
	}
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	asked := c.url()
	if err := askReady(ctx, asked); err != nil {
		return fmt.Errorf("%s: %w", asked, err)
	}
	_, err := fmt.Fprintln(s.out, asked+": ready")
	return err
}

// url is readyz as this machine reaches it. It lies at the root whatever path
// the base URL holds.
func (c *healthcheckCmd) url() string {
	host := c.Addr.host
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip.IsUnspecified() && ip.Is4():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, c.Addr.port), Path: "/readyz"}
	return u.String()
}

// askReady returns what is wrong, nil when the answer is 200. No proxy is asked, and
// no redirect followed: either would answer for somebody else.
func askReady(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v", healthWithin)
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	const enough = 200
	said, _ := io.ReadAll(io.LimitReader(answer.Body, enough))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s: %s", answer.Status, onLine(strings.TrimSpace(string(said))))
	}
	return nil
}
