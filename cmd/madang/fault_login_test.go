package main

import (
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
