package web

import (
	"crypto/md5"  //nolint:gosec // what services of avatars ask for
	"crypto/sha1" //nolint:gosec // what services of avatars ask for
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// crawl gets every page that links of the site lead to, each once, and hands it
// to see.
func (c *client) crawl(see func(*answer)) int {
	c.t.Helper()
	waiting, seen := []string{"/"}, map[string]bool{"/": true}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		a := c.get(path)
		see(a)
		links := a.doc().Find("a[href], link[href], script[src]").Map(func(_ int, s *goquery.Selection) string {
			return s.AttrOr("href", s.AttrOr("src", ""))
		})
		for _, link := range append(links, a.header.Get("Location")) {
			link, _, _ = strings.Cut(link, "#")
			if strings.HasPrefix(link, "/") && !seen[link] {
				seen[link] = true
				waiting = append(waiting, link)
			}
		}
	}
	return len(seen)
}

func TestNobodysAddressStandsInAPublicPage(t *testing.T) {
	b := newBoard(t, func(b *board) { b.options.Site.DevMail = false })
	var secrets []string
	for range 3 {
		u := storetest.Member(t, b.store)
		storetest.Post(t, b.store, u)
		b.comment(u)
		c := b.as(u)
		c.post("/account/email", typed("email", "new-"+u.Email)).leads("/account#email")
		for _, address := range []string{u.Email, "new-" + u.Email} {
			md5, sha1, sha256 := md5.Sum([]byte(address)), sha1.Sum([]byte(address)), sha256.Sum256([]byte(address)) //nolint:gosec // as above
			secrets = append(secrets, address, hex.EncodeToString(md5[:]), hex.EncodeToString(sha1[:]), hex.EncodeToString(sha256[:]))
		}
		secrets = append(secrets, u.Name)
	}
	public := func(a *answer) {
		for _, secret := range secrets {
			if strings.Contains(strings.ToLower(a.body), strings.ToLower(secret)) {
				t.Errorf("%s holds %q", a.what, secret)
			}
		}
	}
	if n := b.guest().crawl(public); n < 15 {
		t.Errorf("only %d pages", n)
	}
	reader := storetest.Member(t, b.store)
	b.as(reader).crawl(public)
}

// dump is every row of a database that no store has open, but for what a visit
// may change: views, and when a session was seen.
func dump(t *testing.T, database string) map[string][][]string {
	t.Helper()
	tables := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if storetest.OnPostgres() {
		tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	all := map[string][][]string{}
	for _, row := range storetest.Rows(t, database, tables) {
		query := `SELECT * FROM ` + row[0]
		switch row[0] {
		case "settings", "view_keys", "read_marks":
			continue
		case "sessions":
			query = `SELECT id, token, user_id, device, created_at, dead FROM sessions`
		case "jobs":
			query += ` WHERE kind <> 'views'`
		}
		rows := storetest.Rows(t, database, query)
		slices.SortFunc(rows, slices.Compare)
		all[row[0]] = rows
	}
	return all
}

func TestReadingChangesNothingButViewsMarksAndWhenOneWasSeen(t *testing.T) {
	database := storetest.Database(t)
	site := func() *board {
		return newBoard(t, func(b *board) {
			s, err := store.Open(t.Context(), store.Options{Database: database, NoLimits: true, Now: b.clock.Now})
			if err != nil {
				t.Fatal(err)
			}
			b.store = s
		})
	}
	closed := func(b *board) map[string][][]string {
		if err := b.store.Close(); err != nil {
			t.Fatal(err)
		}
		return dump(t, database)
	}
	b := site()
	u := storetest.Member(t, b.store)
	tokens := []string{b.as(u).cookie(), b.as(storetest.Admin(t, b.store)).cookie()}
	storetest.Post(t, b.store, u)
	b.comment(u)
	storetest.DeadMail(t, b.store, "550 no")
	before := closed(b)
	b = site()
	for i, token := range tokens {
		c := b.withCookie(token)
		if !c.loggedIn() {
			t.Fatalf("visitor %d is not logged in", i)
		}
		n := c.crawl(func(a *answer) {
			path := strings.TrimPrefix(a.what, "GET ")
			c.send(http.MethodHead, path, nil)
			c.send(http.MethodOptions, path, nil)
		})
		if n < 15 {
			t.Errorf("visitor %d found only %d pages", i, n)
		}
		for _, path := range []string{"/auth/verify?token=x", "/auth/reset?token=x", "/auth/email?token=x", "/auth/logout", "/auth/forgot", "/auth/pending"} {
			c.get(path)
		}
	}
	if diff := cmp.Diff(before, closed(b)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
