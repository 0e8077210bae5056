// Package client sends requests as one user of a load test does: with its own
// connections and cookies, following redirects hop by hop, and measuring each.
// It imports nothing of ours.
package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Settings are the options of the script that the client obeys.
type Settings struct {
	UserAgent         string
	NoConnectionReuse bool
	InsecureSkipTLS   bool
	PerHost           int // connections to one host at most
}

// Client is one user's way to the server. Do may be called by several
// goroutines at once, as batch does.
type Client struct {
	transport *http.Transport
	agent     string
	sent      atomic.Int64
	received  atomic.Int64
}

// New returns a client without connections.
func New(s Settings) *Client {
	c := &Client{agent: s.UserAgent}
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	c.transport = &http.Transport{
		DisableCompression: true, // as k6: only what the script asks for is compressed
		DisableKeepAlives:  s.NoConnectionReuse, MaxConnsPerHost: s.PerHost, MaxIdleConnsPerHost: s.PerHost,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: s.InsecureSkipTLS}, //nolint:gosec // the script's own option
		Proxy:           http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &counted{Conn: conn, client: c}, nil
		},
	}
	return c
}

// Close closes the connections that are not in use.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Bytes returns what went over the wire since the last call.
func (c *Client) Bytes() (sent, received int64) { return c.sent.Swap(0), c.received.Swap(0) }

type counted struct {
	net.Conn
	client *Client
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.client.received.Add(int64(n))
	return n, err
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.client.sent.Add(int64(n))
	return n, err
}

// Request is what to send.
type Request struct {
	Method, URL string
	Header      http.Header
	Body        []byte
	Cookies     []*http.Cookie // beside those of the jar
	Replace     bool           // the cookies take the place of the jar's of the same name
	Jar         http.CookieJar
	Redirects   int // followed at most
	Timeout     time.Duration
	Discard     bool // the body is read and thrown away
}

// Answer is one hop's outcome. Err is set when there was no answer.
type Answer struct {
	Request    *http.Request
	SentBody   []byte
	Status     int
	StatusText string
	Proto      string
	Header     http.Header
	Cookies    []*http.Cookie
	Body       []byte
	Remote     string
	Timings    Timings
	Ended      time.Time
	Err        error
}

// Do sends the request and follows its redirects. Every hop goes to each, the
// last is also returned.
func (c *Client) Do(ctx context.Context, r Request, each func(*Answer)) *Answer {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	for hop := 0; ; hop++ {
		a := c.hop(ctx, &r)
		each(a)
		if a.Err != nil || hop >= r.Redirects || !follow(&r, a) {
			return a
		}
	}
}

func (c *Client) hop(ctx context.Context, r *Request) *Answer {
	a := &Answer{SentBody: r.Body}
	trace, watch := watchHop(ctx)
	req, err := http.NewRequestWithContext(trace, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		a.Err, a.Ended = err, time.Now()
		a.Request, _ = http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		return a
	}
	c.dress(req, r)
	a.Request = req
	resp, err := c.transport.RoundTrip(req) //nolint:bodyclose // read closes it
	if err == nil {
		err = a.read(resp, r)
	}
	a.Err, a.Ended = err, time.Now()
	a.Timings, a.Remote = watch.timings(a.Ended)
	if err != nil {
		a.Status = 0
	}
	return a
}

func (c *Client) dress(req *http.Request, r *Request) {
	req.Header = r.Header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", c.agent)
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	own := map[string]bool{}
	for _, cookie := range r.Cookies {
		req.AddCookie(cookie)
		own[cookie.Name] = r.Replace
	}
	for _, cookie := range r.Jar.Cookies(req.URL) {
		if !own[cookie.Name] {
			req.AddCookie(cookie)
		}
	}
}

func (a *Answer) read(resp *http.Response, r *Request) error {
	defer func() { _ = resp.Body.Close() }()
	a.Status, a.StatusText, a.Proto, a.Header = resp.StatusCode, resp.Status, resp.Proto, resp.Header
	a.Cookies = resp.Cookies()
	r.Jar.SetCookies(a.Request.URL, a.Cookies)
	if r.Discard {
		_, err := io.Copy(io.Discard, resp.Body)
		return err
	}
	body := io.Reader(resp.Body)
	if resp.Header.Get("Content-Encoding") == "gzip" && r.Method != http.MethodHead {
		unzip, err := gzip.NewReader(resp.Body)
		if err != nil {
			return fmt.Errorf("read the compressed body: %w", err)
		}
		body = unzip
	}
	var err error
	a.Body, err = io.ReadAll(body)
	return err
}
