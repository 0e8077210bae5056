package main

import (
	"encoding/hex"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// checkAll compares what a board that has ended left behind with what everybody
// knows: its file is sound and its sums agree; everything acknowledged is there
// and nothing is there twice; every mail that was to go out has gone out, once
// but for those whose hand-over was cut off; the log tells no secret.
func checkAll(t *testing.T, s *site, l *load) {
	t.Helper()
	l.report(t)
	checkFile(t, s.path(), s.data)
	checkLedger(t, s, l.ledger.all())
	checkMails(t, s)
	for _, a := range s.sink.all() {
		l.secrets.add(a.token(), a.letter().code(), a.to)
	}
	checkLog(t, s.log.Name(), l.secrets)
}

// checkFile asks the store for contradictions in a database that nobody serves.
func checkFile(t *testing.T, path, data string) {
	t.Helper()
	db := openStore(t, path, data)
	defer func() {
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", path, err)
		}
	}()
	broken, err := db.Check(t.Context())
	if err != nil {
		t.Errorf("check %s: %v", path, err)
	}
	for _, line := range broken {
		t.Errorf("%s: %s", path, line)
	}
}

// rows are what a database holds of what people did.
type rows struct {
	users, signups map[string]string
	posts          map[string]string // by form: id and title
	comments       map[string]string // by form: id and body
	likes, viewers map[string]string
}

// words are what the kinds of databases say differently.
type words struct{ hexViewer, messageID string }

func wordsOf(database string) words {
	if store.OnServer(database) {
		return words{`encode(viewer, 'hex')`, `CAST(convert_from(payload, 'UTF8') AS json) ->> 'message_id'`}
	}
	return words{`lower(hex(viewer))`, `payload ->> 'message_id'`}
}

func readRows(t *testing.T, path string) rows {
	t.Helper()
	read := func(query string) map[string]string {
		found := map[string]string{}
		for _, row := range storetest.Rows(t, path, query) {
			if _, twice := found[row[0]]; twice {
				t.Errorf("%s is there twice: %s", row[0], query)
			}
			found[row[0]] = row[1]
		}
		return found
	}
	return rows{
		users:    read(`SELECT email_key, id FROM users`),
		signups:  read(`SELECT email_key, id FROM signups WHERE email_key <> ''`),
		posts:    read(`SELECT author_id || ' ' || form_id, id || ' ' || title FROM posts`),
		comments: read(`SELECT author_id || ' ' || form_id, id || ' ' || body FROM comments`),
		likes:    read(`SELECT user_id || ' ' || post_id, '' FROM likes`),
		viewers:  read(`SELECT day || ' ' || post_id || ' ' || ` + wordsOf(path).hexViewer + `, '' FROM viewers`),
	}
}

func checkLedger(t *testing.T, s *site, entries []entry) {
	t.Helper()
	have := readRows(t, s.path())
	readers := newReaders(t, s.path(), s.data)
	defer readers.close()
	counted, lost := map[string]bool{}, 0
	for _, e := range entries {
		if e.Deed == viewed {
			counted[readers.key(e)] = true
		}
		if !e.Sure || have.holds(e, readers) {
			continue
		}
		if lost++; lost <= 5 {
			t.Errorf("acknowledged and not there: %+v", e)
		}
	}
	if lost > 0 {
		t.Errorf("%d acknowledged and not there", lost)
	}
	for key := range have.viewers {
		if !counted[key] {
			t.Errorf("a view that nobody made: %s", key)
		}
	}
	checkLikes(t, have.likes, entries)
}

// holds reports whether what was acknowledged is there. Likes come and go and
// are looked at together.
func (r rows) holds(e entry, readers *readers) bool {
	_, member := r.users[e.Key]
	_, waiting := r.signups[e.Key]
	form, made := number(e.Member)+" "+e.Key, number(e.Made)+" "+e.Text
	switch e.Deed {
	case signedUp:
		return member || waiting
	case verified:
		return member
	case posted:
		return r.posts[form] == made
	case commented:
		return r.comments[form] == made
	case viewed:
		_, there := r.viewers[readers.key(e)]
		return there
	}
	return true
}

// checkLikes goes through what each member did to each post: in the end it is
// as the last acknowledgement said, or as an unknown one after it.
func checkLikes(t *testing.T, have map[string]string, entries []entry) {
	t.Helper()
	possible := map[string]map[bool]bool{}
	for _, e := range entries {
		if e.Deed != liked && e.Deed != unliked {
			continue
		}
		key := number(e.Member) + " " + number(e.Post)
		if possible[key] == nil {
			possible[key] = map[bool]bool{false: true}
		}
		if e.Sure {
			clear(possible[key])
		}
		possible[key][e.Deed == liked] = true
	}
	for key, states := range possible {
		if _, likes := have[key]; !states[likes] {
			t.Errorf("member and post %s: liked is %v", key, likes)
		}
	}
}

// readers knows under which names the people of a ledger were counted.
type readers struct {
	t     *testing.T
	db    *store.Store
	clock *storetest.Clock
}

func newReaders(t *testing.T, path, data string) *readers {
	t.Helper()
	r := &readers{t: t, clock: storetest.NewClock(time.Now())}
	var err error
	o := store.Options{NoLimits: true, Now: r.clock.Now}
	if r.db, err = (storage{Data: directory(data), Database: database(path)}).open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *readers) close() { _ = r.db.Close() }

// key is how the viewer of an entry stands in the rows.
func (r *readers) key(e entry) string {
	r.t.Helper()
	r.clock.Set(e.At)
	v, err := r.db.ViewEvent(r.t.Context(), e.Post, e.Member, netip.MustParseAddr("127.0.0.1"), e.Key)
	if err != nil {
		r.t.Fatal(err)
	}
	return number(int64(v.Day)) + " " + number(v.PostID) + " " + hex.EncodeToString(v.Viewer[:])
}

// checkMails compares the jobs with what the mail server took.
func checkMails(t *testing.T, s *site) {
	t.Helper()
	sent := map[string][]accepted{}
	for _, a := range s.sink.all() {
		sent[a.id] = append(sent[a.id], a)
	}
	for _, row := range storetest.Rows(t, s.path(), `SELECT id, state, last_error, `+wordsOf(s.path()).messageID+` FROM jobs
		WHERE kind IN ('verify_mail', 'account_mail')`) {
		id, least := row[3], 0
		if row[1] == store.Done && row[2] == "" {
			least = 1
		}
		if n, most := len(sent[id]), least+s.retold[id]; n < least || n > most {
			t.Errorf("job %s is %s and its mail went out %d times, want %d to %d", row[0], row[1], n, least, most)
		}
		for _, again := range sent[id] {
			if first := sent[id][0]; again.to != first.to || again.token() != first.token() || again.letter().code() != first.letter().code() {
				t.Errorf("job %s sent two different mails:\n%+v\n%+v", row[0], first, again)
			}
		}
		delete(sent, id)
	}
	for id := range sent {
		t.Errorf("a mail that no job asked for: %s", id)
	}
}

// wordsOfLog are what secrets are made of, passwords apart.
var wordsOfLog = regexp.MustCompile(`[A-Za-z0-9_@.+-]+`)

// checkLog looks for secrets and whole addresses in a log.
func checkLog(t *testing.T, path string, s *secrets) {
	t.Helper()
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range wordsOfLog.FindAllString(string(log), -1) {
		if s.has(word) {
			t.Errorf("the log tells the secret %q", word)
		}
	}
	for _, line := range []string{password, storetest.Password, "DATA RACE", "panic"} {
		if strings.Contains(string(log), line) {
			t.Errorf("the log holds %q", line)
		}
	}
}
