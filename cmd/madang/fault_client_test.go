package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// firefox begins the User-Agent of everybody, for views are counted of browsers.
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 "

// client is somebody's browser, which finds the board again when it has been
// started anew. It is used by one goroutine.
type client struct {
	site    *site
	agent   string
	http    *http.Client
	cookies *secrets
	// cut is told of each request that was sent and got no answer.
	cut func(cutRequest)
}

// cutRequest is a request that was sent and got no answer.
type cutRequest struct {
	sent, ended time.Time
	// waited is true on a new connection that the board had not taken from the
	// system: no listener can close without losing those that arrive just then.
	waited bool
	err    error
}

func newClient(s *site, name string) *client {
	jar, _ := cookiejar.New(nil) // never fails
	return &client{
		site: s, agent: firefox + name, cookies: &secrets{}, cut: func(cutRequest) {},
		http: &http.Client{
			Jar: jar, Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// close ends the connections that nobody will use any more.
func (c *client) close() { c.http.CloseIdleConnections() }

// reply is an answer that came whole.
type reply struct {
	status int
	place  string // of the redirect, without the host
	header http.Header
	body   string
}

// leads reports whether the answer leads on to a path that begins so.
func (a reply) leads(path string) bool {
	return a.status == http.StatusSeeOther && strings.HasPrefix(a.place, path)
}

func (c *client) get(ctx context.Context, path string) (reply, error) {
	return c.send(ctx, http.MethodGet, path, nil)
}

// post submits a form; every field is a name and its value.
func (c *client) post(ctx context.Context, path string, fields ...string) (reply, error) {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return c.send(ctx, http.MethodPost, path, form)
}

// send waits until the board is there, asks it once, and reads the answer to
// its end. An error is one of the connection.
func (c *client) send(ctx context.Context, method, path string, form url.Values) (reply, error) {
	address := c.site.address(ctx) + path
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("User-Agent", c.agent)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	var sent time.Time
	reused := false
	request = request.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(got httptrace.GotConnInfo) { reused = got.Reused },
		WroteRequest: func(httptrace.WroteRequestInfo) { sent = time.Now() },
	}))
	a, err := c.exchange(request)
	if err != nil && !sent.IsZero() && ctx.Err() == nil {
		c.cut(cutRequest{sent: sent, ended: time.Now(), waited: !reused && errors.Is(err, syscall.ECONNRESET), err: err})
	}
	return a, err
}

// exchange returns an answer that has been read.
func (c *client) exchange(request *http.Request) (reply, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	for _, cookie := range response.Cookies() {
		c.cookies.add(cookie.Value)
	}
	a := reply{status: response.StatusCode, header: response.Header, body: string(body)}
	if place, err := response.Location(); err == nil {
		a.place = strings.TrimPrefix(place.String(), place.Scheme+"://"+place.Host)
	}
	return a, nil
}

// secrets are words that must stand in no log.
type secrets struct {
	mu    sync.Mutex
	words map[string]bool
}

func (s *secrets) add(words ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words == nil {
		s.words = map[string]bool{}
	}
	for _, word := range words {
		if word != "" {
			s.words[word] = true
		}
	}
}

func (s *secrets) has(word string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words[word]
}
