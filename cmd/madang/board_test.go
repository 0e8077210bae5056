package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// board is a madang serve that runs in this process on a port of its own.
type board struct {
	url   string
	stop  context.CancelFunc
	ended chan error
}

var readyLine = regexp.MustCompile(`^Madang is ready at (http://\S+)$`)

// startBoard runs serve on a data directory and returns when it is ready.
func startBoard(t *testing.T, data string, args ...string) *board {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	b := &board{stop: cancel, ended: make(chan error, 1)}
	said, w := io.Pipe()
	log := new(bytes.Buffer)
	go func() {
		b.ended <- run(ctx, withDatabase(serveArgs(data, args...)), nil, streams{in: strings.NewReader(""), out: log, err: w})
		w.Close()
	}()
	t.Cleanup(func() { b.finish(t, log) })
	lines := bufio.NewScanner(said)
	for b.url == "" && lines.Scan() {
		if found := readyLine.FindStringSubmatch(lines.Text()); found != nil {
			b.url = found[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	if b.url == "" {
		t.Fatal("the board did not become ready")
	}
	return b
}

func serveArgs(data string, more ...string) []string {
	args := []string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--rate-limits", "off", "--log-level", "debug"}
	return append(args, more...)
}

// halt stops the board as a signal would and returns what run returned.
func (b *board) halt() error {
	b.stop()
	err := <-b.ended
	b.ended <- err
	return err
}

// finish stops a board whose test is over; the log of a failed test is shown.
func (b *board) finish(t *testing.T, log *bytes.Buffer) {
	if err := b.halt(); err != nil {
		t.Errorf("serve returned: %v", err)
	}
	if t.Failed() {
		t.Logf("log of the board:\n%s", log)
	}
}

// runCommand runs another command of madang and returns what it printed.
func runCommand(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), withDatabase(args), nil, streams{in: strings.NewReader(input), out: &out, err: &out})
	return out.String(), err
}

// browser is somebody who visits a board.
type browser struct {
	t      *testing.T
	base   string
	agent  string
	client *http.Client
}

func (b *board) browser(t *testing.T, name string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{
		t: t, base: b.url, agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 " + name,
		client: &http.Client{
			Jar: jar, Timeout: 20 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// page is an answer, read to its end.
type page struct {
	status   int
	location string // path of the redirect
	doc      *goquery.Document
}

func (b *browser) get(address string) page {
	return b.send(http.MethodGet, address, nil)
}

// post submits a form; every field is a name and its value.
func (b *browser) post(address string, fields ...string) page {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.send(http.MethodPost, address, form)
}

func (b *browser) send(method, address string, form url.Values) page {
	b.t.Helper()
	address = b.base + strings.TrimPrefix(address, b.base)
	request, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("User-Agent", b.agent)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	doc, err := goquery.NewDocumentFromReader(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	location := strings.TrimPrefix(response.Header.Get("Location"), b.base)
	return page{status: response.StatusCode, location: location, doc: doc}
}

// redirected fails the test unless the page leads to a path; it returns the path.
func (p page) redirected(t *testing.T, want string) string {
	t.Helper()
	if p.status != http.StatusSeeOther || !strings.HasPrefix(p.location, want) {
		t.Fatalf("answered %d to %q, want 303 to %q; it says %q", p.status, p.location, want,
			strings.Join(strings.Fields(p.doc.Find("main").Text()), " "))
	}
	return p.location
}

// value returns the value of the first element a selector finds.
func (p page) value(selector string) string {
	value, _ := p.doc.Find(selector).Attr("value")
	return value
}
