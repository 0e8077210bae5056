package main

import (
	"net"
	"sync"
	"time"
)

// corkSize is the size of the buffer through which net/http writes to a
// connection. An answer that is longer leaves it in two pieces, the first of
// just this size.
const corkSize = 4 << 10

// corkedListener accepts connections that hold such a piece back until the next
// one comes: a page is one call into the system instead of two, which is an
// eighth of what it costs in all. An answer that ends with a full piece is let go
// by [corkedConn.flush] when its connection turns idle. Were the size another
// one some day, nothing would be held back.
type corkedListener struct{ net.Listener }

// Accept returns the next connection.
func (l corkedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &corkedConn{Conn: conn}, nil
}

// lastPieceWithin is what a connection that ends gets to send the piece that is
// held back.
const lastPieceWithin = time.Second

type corkedConn struct {
	net.Conn
	mu   sync.Mutex
	held []byte
}

// Write sends p together with what was held back, or holds p back.
func (c *corkedConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.held) > 0:
		return c.send(p)
	case len(p) == corkSize:
		c.held = append(c.held, p...)
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// send returns how much of p was sent. c.mu is held.
func (c *corkedConn) send(p []byte) (int, error) {
	pieces := net.Buffers{c.held, p}
	sent, err := pieces.WriteTo(c.Conn)
	sent -= int64(len(c.held))
	c.held = c.held[:0]
	return int(max(sent, 0)), err
}

// flush sends what is held back. net/http has lifted the deadline of the answer
// by then, so this sets one. A connection on which it fails is closed: what came
// next would follow a gap.
func (c *corkedConn) flush(within time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) == 0 {
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(within))
	if _, err := c.send(nil); err != nil {
		_ = c.Conn.Close()
		return
	}
	_ = c.SetWriteDeadline(time.Time{})
}

// CloseWrite ends the sending side, as net/http does before it closes.
func (c *corkedConn) CloseWrite() error {
	c.flush(lastPieceWithin)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close sends what is held back and closes the connection. It waits for no
// peer who does not read: a Write under way is cut off.
func (c *corkedConn) Close() error {
	if c.mu.TryLock() {
		defer c.mu.Unlock()
		if len(c.held) > 0 {
			_ = c.SetWriteDeadline(time.Now().Add(lastPieceWithin))
			_, _ = c.send(nil)
		}
	}
	return c.Conn.Close()
}
