package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// retried is more than the rest before the second try of a mail.
const retried = 50 * time.Second

// mailTest is a board whose visitors do nothing but sign up.
type mailTest struct {
	*site
	load *load
}

func newMailTest(t *testing.T) *mailTest {
	t.Helper()
	t.Parallel() // it waits most of the time
	s := newSite(t)
	return &mailTest{site: s, load: newLoad(t, s, crowd{writers: 1})}
}

// join signs somebody new up, who is answered at once whatever becomes of the mail.
func (m *mailTest) join(name string) *user {
	m.t.Helper()
	u := &user{load: m.load}
	u.client = u.newClient()
	begin := time.Now()
	if e := u.signUp(m.t.Context(), name); !e.Sure {
		m.t.Fatalf("%s was not signed up", name)
	}
	if took := time.Since(begin); took > time.Second*slower {
		m.t.Errorf("the sign-up of %s took %v", name, took)
	}
	return u
}

// mailJob is the job of the newest mail to somebody.
type mailJob struct{ state, attempt string }

func (m *mailTest) job(name string) mailJob {
	m.t.Helper()
	rows := storetest.Rows(m.t, m.path(), `SELECT j.state, j.attempt FROM jobs AS j
		JOIN signups AS s ON s.job_id = j.id WHERE s.email_key = $1`, name+"@example.com")
	if len(rows) != 1 {
		m.t.Fatalf("%d jobs for %s", len(rows), name)
	}
	return mailJob{rows[0][0], rows[0][1]}
}

func (m *mailTest) wantJob(name, state, attempt string) {
	m.t.Helper()
	if got, want := m.job(name), (mailJob{state, attempt}); got != want {
		m.t.Errorf("the mail to %s is %+v, want %+v", name, got, want)
	}
}

func (m *mailTest) wantMails(name string, want int) {
	m.t.Helper()
	if got := len(m.sink.to(name + "@example.com")); got != want {
		m.t.Errorf("%d mails came to %s, want %d", got, name, want)
	}
}

// wantReady fails the test unless the board says that it takes work.
func (m *mailTest) wantReady() {
	m.t.Helper()
	if a, err := newClient(m.site, "probe").get(m.t.Context(), "/readyz"); err != nil || a.status != http.StatusOK {
		m.t.Errorf("readyz answers %d (%v)", a.status, err)
	}
}

// finish stops the board and checks everything.
func (m *mailTest) finish() {
	m.t.Helper()
	m.stop()
	checkAll(m.t, m.site, m.load)
}

// faulty misbehaves at a moment of the mail to somebody, so many times; 0: always.
type faulty struct {
	at, says string
	times    int
}

// misbehave is a script of what goes wrong with the mails to whom.
func misbehave(of map[string]faulty) script {
	var mu sync.Mutex
	seen := map[string]int{}
	return func(m moment) string {
		mu.Lock()
		defer mu.Unlock()
		name, _, _ := strings.Cut(m.to, "@")
		f, ok := of[name]
		if !ok || f.at != m.verb || f.times > 0 && seen[name] == f.times {
			return usual
		}
		seen[name]++
		return f.says
	}
}

func TestFaultEveryMailHasItsOwn(t *testing.T) {
	m := newMailTest(t)
	m.sink.follow(misbehave(map[string]faulty{
		"grey":    {"RCPT", "451 4.7.1 greylisted, come again", 1},
		"halfway": {begun, drop, 1},
		"unsaid":  {dot, drop, 1},
		"lost":    {kept, drop, 1},
		"told":    {taken, drop, 1},
		"refused": {"RCPT", "550 5.1.1 no such user", 0},
		"spam":    {dot, "554 5.7.1 we do not want this", 0},
	}))
	m.start()
	refused := m.join("refused")
	for _, name := range []string{"fine", "grey", "halfway", "unsaid", "lost", "told", "spam"} {
		m.join(name)
	}
	m.wait(5*time.Second*slower, "a refused mail is not dead", func() bool { return m.job("refused").state == store.Dead })
	if a, err := refused.client.get(t.Context(), "/auth/pending"); err != nil || !strings.Contains(a.body, `data-state="failed"`) {
		t.Errorf("the pending page does not say that the address is refused (%v)", err)
	}
	m.settle(retried)
	lost := m.sink.to("lost@example.com")
	m.retold[lost[0].id]++
	for name, want := range map[string]struct {
		state, attempt string
		mails          int
	}{
		"fine": {store.Done, "1", 1}, "told": {store.Done, "1", 1},
		"grey": {store.Done, "2", 1}, "halfway": {store.Done, "2", 1}, "unsaid": {store.Done, "2", 1},
		"lost":    {store.Done, "2", 2},
		"refused": {store.Dead, "1", 0}, "spam": {store.Dead, "1", 0},
	} {
		m.wantJob(name, want.state, want.attempt)
		m.wantMails(name, want.mails)
	}
	m.finish()
}

func TestFaultMailServerDownAndUp(t *testing.T) {
	m := newMailTest(t)
	address := strings.TrimSuffix(strings.TrimPrefix(m.sink.url, "smtp://"), "?tls=none")
	m.sink.down()
	m.start()
	names := []string{"first", "second", "third", "fourth", "fifth", "sixth"}
	for _, name := range names {
		m.join(name)
	}
	m.wait(10*time.Second*slower, "nobody is told", func() bool { return len(m.logged("out of order")) > 0 })
	m.wantReady()
	if alarms := storetest.Rows(t, m.path(), `SELECT kind FROM alarms`); len(alarms) != 1 {
		t.Errorf("%d alarms stand", len(alarms))
	}
	<-time.After(3 * time.Second) // some probes fail
	m.sink.up(t, address)
	m.settle(20 * time.Second * slower)
	for _, name := range names {
		m.wantJob(name, store.Done, "1")
		m.wantMails(name, 1)
	}
	if alarms := storetest.Rows(t, m.path(), `SELECT kind FROM alarms`); len(alarms) != 0 {
		t.Errorf("%d alarms still stand", len(alarms))
	}
	if lines := m.logged("out of order"); len(lines) != 1 {
		t.Errorf("the log says it %d times:\n%s", len(lines), lines)
	}
	m.finish()
}

func TestFaultMailServerHangs(t *testing.T) {
	moments := []string{banner, dot}
	if *soak {
		moments = append(moments, "EHLO", "MAIL", "RCPT", "DATA", begun)
	}
	for _, at := range moments {
		t.Run(at, func(t *testing.T) {
			m := newMailTest(t)
			m.sink.follow(hangOnce(at))
			m.start()
			m.join("stuck")
			m.wait(10*time.Second, "the mail server does not hang", func() bool { return m.sink.times(at) > 0 })
			for i := range 6 {
				m.join(fmt.Sprint("other", i))
			}
			m.wait(5*time.Second*slower, "others wait behind it", func() bool { return m.open() == "1" })
			m.viewsCount()
			m.wantMails("stuck", 0)
			m.stop()
			m.wantJob("stuck", store.Available, "0")
			m.start()
			m.settle(5 * time.Second * slower)
			m.wantMails("stuck", 1)
			m.finish()
		})
	}
}

// hangOnce hangs at the first such moment.
func hangOnce(at string) script {
	var once sync.Once
	return func(m moment) string {
		does := usual
		if m.verb == at {
			once.Do(func() { does = hang })
		}
		return does
	}
}

// viewsCount lets a hundred people read a post, each of whom is answered in
// time and counted within a second.
func (m *mailTest) viewsCount() {
	m.t.Helper()
	for i := range 100 {
		u := &user{load: m.load, n: 1000 + i}
		u.client = u.newClient()
		begin := time.Now()
		u.view(m.t.Context(), m.load.posts[0].id)
		if took := time.Since(begin); took > 500*time.Millisecond*slower {
			m.t.Errorf("a page took %v while a mail hangs", took)
		}
		u.client.close()
	}
	m.wait(time.Second*slower, "the views are not counted", func() bool {
		return storetest.Rows(m.t, m.path(), `SELECT SUM(views) FROM posts`)[0][0] == "100"
	})
}
