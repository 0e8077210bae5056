package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

// browserAgent is the User-Agent of a person.
const browserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// recorder writes each event at once, or fails.
type recorder struct {
	store *store.Store
	fail  error
}

func (r *recorder) Record(ev store.ViewEvent) func(context.Context) error {
	return func(ctx context.Context) error {
		if r.fail != nil {
			return r.fail
		}
		return r.store.AddViews(ctx, []store.ViewEvent{ev})
	}
}

// pools are figures as a board that runs would have them.
type pools []views.PoolFigures

func (p *pools) Pools() []views.PoolFigures { return *p }

// logBook keeps what was logged.
type logBook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// board is a running site with a store of its own.
type board struct {
	t      *testing.T
	store  *store.Store
	server *Server
	views  *recorder
	pools  *pools
	clock  *storetest.Clock
	url    string // with the prefix
	// listener is where the board listens, whatever its base URL says.
	listener string
	logs     *logBook
	options  Options
}

func newBoard(t *testing.T, change ...func(*board)) *board {
	t.Helper()
	ts := httptest.NewUnstartedServer(nil)
	b := &board{t: t, logs: &logBook{}, clock: storetest.NewClock(time.Now())}
	b.listener = "http://" + ts.Listener.Addr().String()
	b.url = b.listener
	b.options = Options{
		Site: views.Site{Name: "Madang", BaseURL: b.url, Zone: time.UTC, DevMail: true},
		Log:  slog.New(slog.NewJSONHandler(b.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:  b.clock.Now,
	}
	for _, f := range change {
		f(b)
	}
	if b.store == nil {
		b.store = storetest.Open(t, store.Options{NoLimits: true, Now: b.clock.Now})
	}
	b.views = &recorder{store: b.store}
	b.pools = &pools{}
	b.options.Store, b.options.Views, b.options.Pools = b.store, b.views, b.pools
	b.url = b.options.Site.BaseURL
	server, err := New(b.options)
	if err != nil {
		t.Fatal(err)
	}
	b.server = server
	ts.Config.Handler = server.Handler()
	ts.Start()
	t.Cleanup(ts.Close)
	return b
}

// limited keeps the limits in time.
func limited(b *board) {
	b.store = storetest.Open(b.t, store.Options{Now: b.clock.Now})
}

// under puts the site below a path.
func under(prefix string) func(*board) {
	return func(b *board) {
		b.options.Site.BaseURL += prefix
		b.options.Site.Prefix = prefix
	}
}

// client is a browser: it keeps cookies and follows nothing.
type client struct {
	t     *testing.T
	base  string
	http  *http.Client
	agent string
}

func (b *board) guest() *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{t: b.t, base: b.url, http: &http.Client{Jar: jar, CheckRedirect: stay}, agent: browserAgent}
}

// as returns a browser in which the member is logged in.
func (b *board) as(u store.User) *client {
	b.t.Helper()
	c := b.guest()
	c.login(u).wants(http.StatusSeeOther)
	return c
}

func (c *client) login(u store.User) *answer {
	c.t.Helper()
	return c.post("/auth/login", url.Values{"email": {u.Email}, "password": {storetest.Password}})
}

func (c *client) get(path string, headers ...string) *answer {
	c.t.Helper()
	return c.send(http.MethodGet, path, nil, headers...)
}

func (c *client) post(path string, form url.Values, headers ...string) *answer {
	c.t.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	return c.send(http.MethodPost, path, strings.NewReader(form.Encode()), headers...)
}

func (c *client) send(method, path string, body io.Reader, headers ...string) *answer {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("User-Agent", c.agent)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return &answer{t: c.t, what: method + " " + path, status: w.StatusCode, header: w.Header, body: string(text)}
}

// cookie is the session's token in this browser, "" for none.
func (c *client) cookie() string {
	u, err := url.Parse(c.base + "/")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(u) {
		if strings.HasSuffix(cookie.Name, "sid") {
			return cookie.Value
		}
	}
	return ""
}

// loggedIn reports whether the site knows this browser as a member's.
func (c *client) loggedIn() bool { return c.get("/posts/new").status == http.StatusOK }

// field returns the value of a field in the form that posts to action.
func (c *client) field(page, action, name string) string {
	c.t.Helper()
	return c.get(page).wants(http.StatusOK).field(action, name)
}
