package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store/storetest"
)

// hidden is a request that must be read as the rest of another one.
const hidden = "GET /auth/signup HTTP/1.1\r\nHost: board\r\n\r\n"

// TestFaultMalformedRequests says what no browser says: it is refused, and
// nothing that came behind it on the connection is taken for a request.
func TestFaultMalformedRequests(t *testing.T) {
	s := newSite(t)
	s.start()
	chunked := func(body string, headers ...string) string {
		return form("/auth/login", body, append(headers, "Transfer-Encoding: chunked")...)
	}
	for name, request := range map[string]string{
		"a chunk without a length":     chunked("zz\r\nemail=a\r\n0\r\n\r\n" + hidden),
		"a chunk of a negative length": chunked("-1\r\nemail=a\r\n0\r\n\r\n" + hidden),
		"a chunk of an endless length": chunked("ffffffffffffffffff\r\nemail=a\r\n0\r\n\r\n" + hidden),
		"a chunk longer than it says":  chunked("3\r\nemail=a\r\n0\r\n\r\n" + hidden),
		"a bare line feed in a chunk":  chunked("7\nemail=a\n0\n\n" + hidden),
		"two lengths":                  form("/auth/login", "email=a"+hidden, "Content-Length: 7", "Content-Length: 50"),
		"a length that is no number":   form("/auth/login", "email=a"+hidden, "Content-Length: 7x"),
		"a length with a sign":         form("/auth/login", "email=a"+hidden, "Content-Length: +7"),
		"an unknown transfer":          form("/auth/login", "email=a"+hidden, "Transfer-Encoding: xchunked"),
		"two transfers":                form("/auth/login", "0\r\n\r\n"+hidden, "Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
		"a list of transfers":          form("/auth/login", "0\r\n\r\n"+hidden, "Transfer-Encoding: chunked, chunked"),
		"a space before the colon":     form("/auth/login", "0\r\n\r\n"+hidden, "Transfer-Encoding : chunked"),
		"a line feed alone":            "POST /auth/login HTTP/1.1\nHost: board\nContent-Length : 7\n\nemail=a" + hidden,
		"a name of a header in bytes":  "GET / HTTP/1.1\r\nHost: board\r\nX-\x00: 1\r\n\r\n" + hidden,
		"no host":                      "GET / HTTP/1.1\r\n\r\n" + hidden,
		"two hosts":                    "GET / HTTP/1.1\r\nHost: board\r\nHost: elsewhere\r\n\r\n" + hidden,
		"a path with a space":          "GET /a b HTTP/1.1\r\nHost: board\r\n\r\n" + hidden,
		"another protocol":             "GET / HTTP/9.9\r\nHost: board\r\n\r\n" + hidden,
		"TLS":                          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n" + hidden,
		"nothing of the kind":          "SSH-2.0-OpenSSH_9.9\r\n\r\n" + hidden,
	} {
		t.Run(name, func(t *testing.T) {
			w := s.wire(4 * time.Second * slower) // below every time-out of the board
			w.say(request)
			a, err := w.hear()
			refused := []int{400, 422, 501, 505} // of what is understood so far, or not known at all
			if err != nil || !slices.Contains(refused, a.status) {
				t.Errorf("the answer is %d: %v", a.status, err)
			}
			if more, ended := w.rest(); more != "" || !ended {
				t.Errorf("the connection goes on: ended %v, and says\n%s", ended, more)
			}
			s.wantAnswered(name)
		})
	}
	s.stop()
	wantNoFaults(t, s)
}

// TestFaultLengthSaidTwice: a proxy that goes by the one length would take for
// the next request what the board, going by the other, took for a part of this
// one. So the connection ends with the answer.
func TestFaultLengthSaidTwice(t *testing.T) {
	s := newSite(t)
	s.start()
	for _, request := range []string{
		form("/auth/login", "7\r\nemail=a\r\n0\r\n\r\n"+hidden, "Content-Length: 12", "Transfer-Encoding: chunked"),
		form("/auth/login", "7\r\nemail=a\r\n0\r\n\r\n"+hidden, "Transfer-Encoding: chunked", "Content-Length: 12"),
		form("/auth/login", "0\r\n\r\n"+hidden, "Content-Length: 5", "Transfer-Encoding: chunked"),
	} {
		w := s.wire(4 * time.Second * slower)
		w.say(request)
		if a, err := w.hear(); err != nil || a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("the answer is %d: %v", a.status, err)
		}
		if more, ended := w.rest(); more != "" || !ended {
			t.Errorf("the connection goes on: ended %v, and says\n%s", ended, more)
		}
		s.wantAnswered("a length said twice")
	}
}

// TestFaultManyRequestsInOneBreath: each gets its own answer, in order, and
// what stands in a form is no request.
func TestFaultManyRequestsInOneBreath(t *testing.T) {
	s := newSite(t)
	s.start()
	body := hidden + "email=a"
	one := form("/auth/login", body, "Content-Length: "+strconv.Itoa(len(body))) + "GET /nothing HTTP/1.1\r\nHost: board\r\n\r\n"
	const times = 50
	w := s.wire(20 * time.Second * slower)
	go w.say(strings.Repeat(one, times) + "GET /healthz HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n")
	for i := range times {
		login, err := w.hear()
		unknown, err2 := w.hear()
		if err = errors.Join(err, err2); err != nil || login.status != http.StatusUnprocessableEntity || unknown.status != http.StatusNotFound {
			t.Fatalf("pair %d is answered with %d and %d: %v", i, login.status, unknown.status, err)
		}
	}
	if last, err := w.hear(); err != nil || strings.TrimSpace(last.body) != "ok" {
		t.Errorf("the last answer is %q: %v", last.body, err)
	}
	if more, _ := w.rest(); more != "" {
		t.Errorf("there is one more: %s", more)
	}
}

// oversized is a request that is too long, and the answers it may get.
type oversized struct {
	request string
	want    []int
}

func signUpAs(kind, body string, headers ...string) string {
	return "POST /auth/signup HTTP/1.1\r\nHost: board\r\nContent-Type: " + kind + "\r\n" +
		strings.Join(append(headers, "Content-Length: "+strconv.Itoa(len(body)), ""), "\r\n") + "\r\n" + body
}

// oversizedForms have bodies that are too long, too many, or other than they say.
func oversizedForms(long string) map[string]oversized {
	const kind = "application/x-www-form-urlencoded"
	part := "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\na\r\n"
	chunks := strings.Repeat("100000\r\n"+long[:1<<20]+"\r\n", 10) + "0\r\n\r\n"
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	_, _ = packer.Write([]byte(long)) // a buffer takes everything
	_ = packer.Close()
	return map[string]oversized{
		"a form of 10 MB":             {signUpAs(kind, "email="+long), []int{413}},
		"a form of 10 MB in chunks":   {form("/auth/signup", chunks, "Transfer-Encoding: chunked"), []int{413}},
		"100,000 fields":              {signUpAs(kind, strings.Repeat("a=&", 100_000)), []int{413}},
		"80,000 fields":               {signUpAs(kind, strings.Repeat("a=&", 80_000)), []int{400}}, // not too long
		"a form of a thousand parts":  {signUpAs("multipart/form-data; boundary=b", strings.Repeat(part, 1000)+"--b--\r\n"), []int{415}},
		"parts of 10 MB":              {signUpAs("multipart/form-data; boundary=b", long), []int{413, 415}},
		"a packed form of 10 MB":      {signUpAs(kind, packed.String(), "Content-Encoding: gzip"), []int{415}},
		"JSON 40,000 objects deep":    {signUpAs("application/json", strings.Repeat(`{"a":`, 40_000)), []int{400}},
		"a password of 200,000 bytes": {signUpAs(kind, "email=a@example.com&nickname=a&password="+long[:200_000]), []int{422}},
	}
}

// oversizedHeads have addresses and headers that are too long.
func oversizedHeads(long string) map[string]oversized {
	get := func(path string, headers ...string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: board\r\n" + strings.Join(append(headers, "\r\n"), "\r\n")
	}
	return map[string]oversized{
		"2 MB of headers":              {get("/", slices.Repeat([]string{"X-Long: " + long[:1000]}, 2000)...), []int{431}},
		"a header of 2 MB":             {get("/", "X-Long: "+long[:2<<20]), []int{431}},
		"5,000 cookies":                {get("/", "Cookie: "+strings.Repeat("sid=0123456789; ", 5000)), []int{431}},
		"5,000 short cookies":          {get("/", "Cookie: "+strings.Repeat("a=1; ", 5000)), []int{200, 400}}, // not too long
		"an address of 1 MB":           {get("/" + long[:1<<20]), []int{414, 431}},
		"a question of 1 MB":           {get("/?before=" + long[:1<<20]), []int{414, 431}},
		"a question of 20,000 figures": {get("/?before=" + strings.Repeat("9", 20_000)), []int{400}},
	}
}

// TestFaultOversizedRequests: whatever is too long is refused at once, leaves
// nothing in the database, and costs the board no memory.
func TestFaultOversizedRequests(t *testing.T) {
	s := newSite(t)
	p := s.start()
	long := strings.Repeat("x", 10<<20)
	requests := oversizedForms(long)
	maps.Copy(requests, oversizedHeads(long))
	times := rounds(t, 3, 30)
	files := s.warm(p)
	before := residentMemory(t, p.cmd.Process.Pid)
	for range times {
		var all sync.WaitGroup
		for name, r := range requests {
			all.Go(func() { s.wantRefused(name, r.request, r.want) })
		}
		all.Wait()
	}
	const room = 20 << 20
	grown := residentMemory(t, p.cmd.Process.Pid) - before
	t.Logf("%d kinds %d times: %.1f MB more", len(requests), times, float64(grown)/(1<<20))
	if grown > room*slower {
		t.Errorf("the board grew by %d MB", grown>>20)
	}
	s.wantAnswered("all of them")
	s.wait(20*time.Second, "connections are still open", func() bool { return openFiles(t, p) <= files+s.further() })
	s.stop()
	if rows := storetest.Rows(t, s.path(), `SELECT id FROM signups`); len(rows) != 0 {
		t.Errorf("%d sign-ups came of it", len(rows))
	}
	wantNoFaults(t, s)
}

// wantRefused sends a request and reads the answer meanwhile, as a board need
// not read what it refuses. It may cut who goes on sending off; then the answer
// can get lost on its way.
func (s *site) wantRefused(name, request string, want []int) {
	s.t.Helper()
	begin := time.Now()
	w := s.wire(20 * time.Second * slower)
	go w.say(request)
	a, err := w.hear()
	took := time.Since(begin)
	_ = w.conn.Close()
	if err != nil && len(request) > 300<<10 {
		return // cut off
	}
	if !slices.Contains(want, a.status) || took > 2*time.Second*slower {
		s.t.Errorf("%s is answered with %d after %v, want %v: %v", name, a.status, took, want, err)
	}
}

// wantNoFaults fails the test when the board found a fault of its own.
func wantNoFaults(t *testing.T, s *site) {
	t.Helper()
	for _, words := range []string{"level=ERROR", "status=500", "panic", "DATA RACE"} {
		if lines := s.logged(words); len(lines) > 0 {
			t.Errorf("%d lines of the log hold %q, the first is\n%s", len(lines), words, lines[0])
		}
	}
}
