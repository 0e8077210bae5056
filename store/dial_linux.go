package store

import (
	"context"
	"net"
	"syscall"
	"time"
)

// lineTimeout is how long a line may swallow what is sent before it is dead.
const lineTimeout = 20 * time.Second

// tcpUserTimeout is TCP_USER_TIMEOUT of Linux, which package syscall lacks.
const tcpUserTimeout = 18

// dial connects to the server. A line that was cut without a word is noticed
// in seconds, not after the quarter of an hour that the kernel would try.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: lineTimeout / 2, Interval: lineTimeout / 6, Count: 3},
		Control: func(network, _ string, raw syscall.RawConn) error {
			if network == "unix" {
				return nil
			}
			var failed error
			err := raw.Control(func(fd uintptr) {
				failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(lineTimeout.Milliseconds())) //nolint:gosec // a file descriptor
			})
			if err != nil {
				return err
			}
			return failed
		},
	}
	return d.DialContext(ctx, network, address)
}
