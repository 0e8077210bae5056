//go:build !linux

package store

import (
	"context"
	"net"
	"time"
)

// dial connects to the server; a line on which nothing comes is asked after.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 3 * time.Second, Count: 3}}
	return d.DialContext(ctx, network, address)
}
