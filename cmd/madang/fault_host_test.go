package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFaultForgedHost: whatever host a request names, the links in the mails
// that it causes lead to the site.
func TestFaultForgedHost(t *testing.T) {
	s := newSite(t)
	who := newAccounts(t, s, 1)[0]
	s.start()
	for i, forged := range []string{
		"POST %s HTTP/1.1\r\nHost: evil.test\r\n",
		"POST %s HTTP/1.1\r\nHost: board\r\nX-Forwarded-Host: evil.test\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.test\r\n",
		"POST http://evil.test%s HTTP/1.1\r\nHost: evil.test\r\n",
		"POST %s HTTP/1.0\r\n",
	} {
		name := fmt.Sprint("forged", i)
		for path, fields := range map[string]url.Values{
			"/auth/signup": {"email": {name + "@example.com"}, "name": {"Name"}, "nickname": {name}, "password": {password}},
			"/auth/forgot": {"email": {who.Email}},
		} {
			body := fields.Encode()
			w := s.wire(10 * time.Second * slower)
			w.say(fmt.Sprintf(forged, path) + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " +
				strconv.Itoa(len(body)) + "\r\n\r\n" + body)
			if a, err := w.hear(); err != nil || !a.leads("/auth/") {
				t.Errorf("%q is answered with %d %s: %v", fmt.Sprintf(forged, path), a.status, a.place, err)
			}
		}
	}
	s.settle(20 * time.Second * slower)
	mails := s.sink.all()
	if len(mails) < 5 {
		t.Errorf("%d mails", len(mails))
	}
	for _, m := range mails {
		if strings.Contains(m.text, "evil.test") || !strings.HasPrefix(m.letter().link(), s.running().url+"/auth/") {
			t.Errorf("a mail leads elsewhere:\n%s", m.text)
		}
	}
	s.stop()
	wantNoFaults(t, s)
}
