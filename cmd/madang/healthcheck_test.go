package main

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestEndToEndHealthcheck(t *testing.T) {
	data := newData(t)
	port := freePort(t)
	site := startBoard(t, data, "--base-url", "http://localhost:"+port+"/board", "--addr", "127.0.0.1:"+port)
	for _, addr := range []string{"127.0.0.1:", "localhost:", "0.0.0.0:", ":"} {
		commandSays(t, []string{"healthcheck", "--addr", addr + port}, false, "/readyz: ready")
	}
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	commandSays(t, []string{"healthcheck", "--addr", "127.0.0.1:" + port}, true, "connection refused")
}

// freePort is a port that nobody listens on at this moment.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return port
}

func TestHealthcheckTellsWhatIsWrong(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"/draining": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "draining", http.StatusServiceUnavailable)
		},
		"/elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/healthz", http.StatusSeeOther) },
		"/silent":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/long": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("x", 9000)+"\n\x1b[2J", http.StatusTeapot)
		},
	}
	for path, want := range map[string]string{"/draining": "503 Service Unavailable: draining", "/elsewhere": "303", "/silent": "no answer", "/long": "418"} {
		server := httptest.NewServer(answers[path])
		begin := time.Now()
		said, err := runCommand(t, "", "healthcheck", "--addr", server.Listener.Addr().String())
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 400 {
			t.Errorf("%s: it says %q and %v", path, said, err)
		}
		if took := time.Since(begin); took > healthWithin+2*time.Second {
			t.Errorf("%s: it took %v", path, took)
		}
		server.CloseClientConnections()
		server.Close()
	}
	commandSays(t, []string{"healthcheck", "--addr", "localhost:0"}, true, "--addr (MADANG_ADDR)", "must name the port")
	commandSays(t, []string{"healthcheck", "--addr", "nowhere"}, true, "--addr (MADANG_ADDR)", "HOST:PORT")
}

func TestHealthcheckAsksThisMachine(t *testing.T) {
	for listens, want := range map[string]string{
		"0.0.0.0:80": "http://127.0.0.1:80/readyz", ":8080": "http://127.0.0.1:8080/readyz", "[::]:8080": "http://[::1]:8080/readyz",
		"[::1]:8080": "http://[::1]:8080/readyz", "localhost:8080": "http://localhost:8080/readyz", "10.0.0.11:8080": "http://10.0.0.11:8080/readyz",
	} {
		var c healthcheckCmd
		if err := c.Addr.UnmarshalText([]byte(listens)); err != nil {
			t.Fatal(err)
		}
		if got := c.url(); got != want {
			t.Errorf("%s is asked at %s", listens, got)
		}
	}
}
