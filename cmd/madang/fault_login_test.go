package main

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestFaultMailServerRefusesTheLogin(t *testing.T) {
	m := newMailTest(t)
	m.sink.offers = []string{"AUTH PLAIN"}
	m.args = []string{"--smtp-url", strings.Replace(m.sink.url, "//", "//user:not-the-password@", 1)}
	m.load.secrets.add("not-the-password")
	m.sink.follow(func(at moment) string {
		if at.verb == "AUTH" {
			return "535 5.7.8 wrong password: not-the-password"
		}
		return usual
	})
	m.start()
	names := []string{"first", "second", "third"}
	for _, name := range names {
		m.join(name)
	}
	m.wait(20*time.Second, "nobody tries again", func() bool { return m.sink.times("AUTH") >= 3 })
	if alarms := storetest.Rows(t, m.path(), `SELECT kind FROM alarms`); len(alarms) != 1 {
		t.Errorf("%d alarms stand", len(alarms))
	}
	m.sink.follow(func(moment) string { return usual })
	m.settle(20 * time.Second * slower)
	for _, name := range names {
		m.wantJob(name, store.Done, "1")
		m.wantMails(name, 1)
	}
	m.finish()
}

func TestFaultMailServerCannotBeTrusted(t *testing.T) {
	selfSigned := httptest.NewTLSServer(nil)
	defer selfSigned.Close()
	for name, offers := range map[string][]string{"no STARTTLS": nil, "a certificate of nobody": {"STARTTLS"}} {
		t.Run(name, func(t *testing.T) {
			m := newMailTest(t)
			m.sink.offers, m.sink.tls = offers, selfSigned.TLS
			m.args = []string{"--smtp-url", strings.TrimSuffix(m.sink.url, "?tls=none")}
			m.start()
			m.join("somebody")
			m.wait(20*time.Second, "nobody is told", func() bool { return len(m.logged("out of order")) > 0 })
			m.wait(20*time.Second, "nobody tries again", func() bool { return m.sink.times("EHLO") >= 2 })
			if m.sink.times("MAIL")+m.sink.times("DATA") > 0 {
				t.Error("the mail was begun in the clear")
			}
			m.stop()
			m.wantJob("somebody", store.Available, "0")
			t.Logf("the log says: %s", m.logged("out of order"))
			checkAll(t, m.site, m.load)
		})
	}
}
