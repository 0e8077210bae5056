package main

import (
	"os"
	"path/filepath"
	"testing"

	"madang/store/storetest"
)

// The tests named TestSeveral… run several processes as one site, each with a
// data directory of its own, on one PostgreSQL database. What they do to them
// and how the rows are checked afterwards is as in the tests of faults.

// several are processes that share a database, a secret and a mail server.
type several struct {
	t      *testing.T
	server *storetest.Server
	url    string // of the database
	sink   *sink
	each   []*site
}

// newSeveral prepares so many processes, none of which runs yet.
func newSeveral(t *testing.T, n int, args ...string) *several {
	t.Helper()
	faultTest(t)
	server := storetest.PostgresOnce(t)
	v := &several{t: t, server: server, url: server.Database(t), sink: newSink(t)}
	retold := map[string]int{}
	for range n {
		s := newSite(t)
		s.database, s.sink, s.retold = v.url, v.sink, retold
		s.args = append([]string{"--smtp-url", v.sink.url}, args...)
		s.env = []string{"MADANG_DATABASE=" + v.url, "MADANG_SECRET=" + secretA}
		v.each = append(v.each, s)
	}
	v.leaveKey(v.each[0].data)
	return v
}

// leaveKey puts the secret where the checks of the rows look for it.
func (v *several) leaveKey(data string) {
	v.t.Helper()
	err := os.MkdirAll(data, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "secret.key"), []byte(secretA), 0o600)
	}
	if err != nil {
		v.t.Fatal(err)
	}
}

// start runs all of them.
func (v *several) start() {
	v.t.Helper()
	for _, s := range v.each {
		s.start()
	}
}

// stop ends all of them in order.
func (v *several) stop() {
	v.t.Helper()
	for _, s := range v.each {
		s.stop()
	}
}

// check looks at what the ended processes left behind, as checkAll does.
func (v *several) check(l *load) {
	v.t.Helper()
	checkAll(v.t, v.each[0], l)
	for _, s := range v.each[1:] {
		checkLog(v.t, s.log.Name(), l.secrets)
	}
}

// loads are people who use one of the processes each; the members and the ledger
// are the same.
func (v *several) loads(c crowd) []*load {
	v.t.Helper()
	first := newLoad(v.t, v.each[0], c)
	loads := []*load{first}
	for _, s := range v.each[1:] {
		l := &load{
			site: s, ledger: first.ledger, secrets: first.secrets, members: first.members, posts: first.posts,
			stop: func() {}, statuses: map[int]int{},
		}
		loads = append(loads, l)
	}
	return loads
}

// rows reads from the database.
func (v *several) rows(query string, args ...any) [][]string {
	v.t.Helper()
	return storetest.Rows(v.t, v.url, query, args...)
}

// at is the same browser, with what it remembers, at another process.
func (b *browser) at(s *site) *browser {
	there := *b
	there.base = s.running().url
	return &there
}

// browser is somebody's browser, at the first process.
func (v *several) browser(name string) *browser {
	v.t.Helper()
	return (&board{url: v.each[0].running().url}).browser(v.t, name)
}
