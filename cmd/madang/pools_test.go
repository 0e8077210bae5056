package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"madang/jobs"
	"madang/store"
	"madang/store/storetest"
	"madang/views"
	"madang/web"
)

// watched is a pool of one kind of jobs and the pages that show it.
type watched struct {
	t       testing.TB
	db      *store.Store
	figures *jobs.Figures
	pages   *httptest.Server
	chief   *http.Client
}

// watch opens a store and its pages, on which an administrator is logged in.
func watch(t testing.TB, now func() time.Time) *watched {
	t.Helper()
	figures, err := jobs.NewFigures(now)
	if err != nil {
		t.Fatal(err)
	}
	db := storetest.Open(t, store.Options{NoLimits: true, Enqueued: figures.Arrive})
	log := slog.New(slog.DiscardHandler)
	recorder, err := jobs.NewViews(db, log)
	if err != nil {
		t.Fatal(err)
	}
	pages := httptest.NewUnstartedServer(nil)
	server, err := web.New(web.Options{
		Store: db, Views: recorder, Pools: figures, Log: log, Now: now,
		Site: views.Site{Name: siteName, BaseURL: "http://" + pages.Listener.Addr().String(), Zone: time.UTC},
	})
	if err != nil {
		t.Fatal(err)
	}
	pages.Config.Handler = server.Handler()
	pages.Start()
	t.Cleanup(pages.Close)
	w := &watched{t: t, db: db, figures: figures, pages: pages}
	w.chief = w.logIn(storetest.Admin(t, db))
	return w
}

func (w *watched) logIn(u store.User) *http.Client {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	form := url.Values{"email": {u.Email}, "password": {storetest.Password}}
	if _, err := postForm(w.t.Context(), browser, w.pages.URL+"/auth/login", form); err != nil {
		w.t.Fatal(err)
	}
	return browser
}

// run works off the jobs of a kind until the test ends.
func (w *watched) run(workers int, handler jobs.Handler) {
	w.t.Helper()
	pool, err := jobs.NewPool(jobs.PoolOptions{
		Name: "views", Store: w.db, Handlers: map[string]jobs.Handler{store.KindViews: handler}, Workers: workers,
		Log: slog.New(slog.DiscardHandler), Figures: w.figures,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- pool.Run(ctx) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	})
}

// look asks for a page of the administrator.
func (w *watched) look(ctx context.Context, path string) (*goquery.Document, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.pages.URL+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := w.chief.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d", path, answer.StatusCode)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromReader(strings.NewReader(string(text)))
}

// figure is what the page of the pools says.
func (w *watched) figure(selector string) float64 {
	w.t.Helper()
	page, err := w.look(w.t.Context(), "/admin/pools")
	if err != nil {
		w.t.Fatal(err)
	}
	said := page.Find("[data-pool=views] "+selector).First().AttrOr("value", "")
	x, err := strconv.ParseFloat(said, 64)
	if err != nil {
		w.t.Fatalf("%s is %q", selector, said)
	}
	return x
}

func (w *watched) addJob() {
	w.t.Helper()
	if err := w.db.AddViews(w.t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
		w.t.Fatal(err)
	}
}

// TestThePageSaysWhatAKnownLoadAsksFor lets 200 jobs arrive, 8 a second, that
// take 300 ms each and move the clock by it themselves: 2.4 workers' worth.
func TestThePageSaysWhatAKnownLoadAsksFor(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	w := watch(t, clock.Now)
	const each, every = 300 * time.Millisecond, 125 * time.Millisecond
	claimed, goOn := make(chan struct{}), make(chan struct{})
	w.run(4, func(context.Context, store.Job) error {
		claimed <- struct{}{}
		<-goOn
		return nil
	})
	// Three jobs run at any time but for the ends: a job leaves when the clock
	// has moved by its time since it came.
	const together = each / every // 2 whole steps of the clock
	for i := range 200 {
		w.addJob()
		<-claimed
		if i >= int(together) {
			clock.Advance(each - together*every)
			goOn <- struct{}{}
			w.until("[data-figure=busy]", float64(together))
			clock.Advance(every - (each - together*every))
		} else {
			clock.Advance(every)
		}
	}
	// 200 arrivals in 25 s; 198 have left.
	for selector, want := range map[string]float64{
		"tr[data-row=arrivals] data": 8, "tr[data-row=throughput] data": 7.92, "tr[data-row=mean] data": .3,
		"tr[data-row=p50] data": .3, "tr[data-row=p95] data": .3, "tr[data-row=busy] data": 2.4, "tr[data-row=asked] data": 2.4,
		"[data-figure=needed]": 3, "[data-figure=workers]": 4, "[data-figure=busy]": 2, "[data-figure=backlog]": 0,
	} {
		if got := w.figure(selector); got < want*.95 || got > want*1.05 {
			t.Errorf("%s says %v, want %v", selector, got, want)
		}
	}
	close(goOn)
}

// until waits for the page to say something.
func (w *watched) until(selector string, want float64) {
	w.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); w.figure(selector) != want; {
		if time.Now().After(deadline) {
			w.t.Fatalf("%s is not %v", selector, want)
		}
	}
}

func TestEndToEndThePageSaysHowLongMailTakes(t *testing.T) {
	box := newPostbox(t, 300*time.Millisecond)
	data := newData(t)
	site := startBoard(t, data, "--smtp-url", box.url, "--mail-workers", "3")
	makeChief(t, data)
	const people = 12
	for i := range people {
		signUp(site.browser(t, "b"), fmt.Sprint("person", i)).redirected(t, "/auth/pending")
	}
	for i := range people {
		box.wait(t, fmt.Sprintf("person%d@example.com", i))
	}
	chief := site.browser(t, "chief")
	logIn(t, chief, "chief")
	var p50, done float64
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		page := chief.get("/admin/pools")
		p50, _ = strconv.ParseFloat(page.value("[data-pool=mail] tr[data-row=p50] td:last-child data"), 64)
		done, _ = strconv.ParseFloat(page.value("[data-pool=mail] [data-figure=busy]"), 64)
		if done == 0 {
			break
		}
	}
	if p50 < .28 || p50 > .6*slower {
		t.Errorf("half of the mails took %v s, want little more than .3", p50)
	}
	if got := chief.get("/admin/jobs?kind=verify_mail&state=done").doc.Find("article.job").Length(); got != people {
		t.Errorf("%d mails are done, want %d", got, people)
	}
}

// makeChief makes an administrator by the command line.
func makeChief(t *testing.T, data string) {
	t.Helper()
	args := []string{"admin", "create", "--data", data, "--email", "chief@example.com", "--nickname", "chief", "--name", "Chief"}
	if _, err := runCommand(t, password+"\n", args...); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkViewsWithThePageOpen counts views while nobody looks, and while
// somebody asks for both pages ten times a second.
func BenchmarkViewsWithThePageOpen(b *testing.B) {
	for _, open := range []bool{false, true} {
		b.Run(fmt.Sprintf("open=%t", open), func(b *testing.B) {
			w := watch(b, time.Now)
			author := storetest.Member(b, w.db)
			post := storetest.Post(b, w.db, author)
			counting, err := newCounting(w.db, 2, w.figures)
			if err != nil {
				b.Fatal(err)
			}
			ctx, stop := context.WithCancel(b.Context())
			ended := counting.start(ctx)
			looked := make(chan int, 1)
			go func() { looked <- w.keepLooking(ctx, open) }()
			load := viewLoad{db: w.db, views: counting.views, post: post, events: int64(b.N), readers: 1000}
			b.ResetTimer()
			took, _, err := load.run(b.Context(), io.Discard, "views")
			b.StopTimer()
			stop()
			if err != nil || <-ended != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/took.Seconds(), "events/s")
			b.ReportMetric(float64(<-looked), "looks")
		})
	}
}

// keepLooking asks for the pages ten times a second and returns how often.
func (w *watched) keepLooking(ctx context.Context, open bool) (looks int) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return looks
		case <-tick.C:
		}
		if !open {
			continue
		}
		for _, path := range []string{"/admin/pools", "/admin/jobs"} {
			if _, err := w.look(ctx, path); err != nil && ctx.Err() == nil {
				w.t.Error(err)
			}
			looks++
		}
	}
}
