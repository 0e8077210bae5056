package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// refusal is what a hostile mail server says.
const refusal = `550 <script>alert(1)</script> <b>no</b> & "you"`

// withDeadMail is a board with a dead mail and its administrator.
func withDeadMail(t *testing.T) (b *board, admin *client, job int64) {
	t.Helper()
	b = newBoard(t)
	admin = b.as(storetest.Admin(t, b.store))
	_, job = storetest.DeadMail(t, b.store, refusal)
	return b, admin, job
}

func listedIDs(a *answer) []string {
	return a.doc().Find("article.job").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("data-job-id", "") })
}

func TestTheAdministratorSeesADeadMailWithTheWordsOfTheServer(t *testing.T) {
	b, admin, job := withDeadMail(t)
	row, err := b.store.JobByID(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	page := admin.get("/admin/jobs?state=dead").wants(http.StatusOK).has(refusal).has(row.To)
	if page.doc().Find("main script, main b").Length() != 0 {
		t.Error("the words of the server became HTML")
	}
	if got := page.doc().Find("tr[data-kind=verify_mail] td[data-state=dead] a").Text(); got != "1" {
		t.Errorf("%q dead mails are counted", got)
	}
	history := admin.get(fmt.Sprint("/admin/jobs/", job)).wants(http.StatusOK).has(refusal).has(row.To)
	if got := history.attr("tbody tr", "data-outcome"); got != "dead" {
		t.Errorf("the history ends with %q", got)
	}
}

func TestADeadMailIsTriedAgain(t *testing.T) {
	b, admin, job := withDeadMail(t)
	path := fmt.Sprint("/admin/jobs/", job)
	admin.post(path+"/retry", url.Values{"next": {"/admin/jobs?state=dead"}}).leads("/admin/jobs?state=dead")
	admin.get("/admin/jobs?state=dead").has(fmt.Sprintf("Job %d is ready and runs as soon as a worker is free.", job))
	if row, err := b.store.JobByID(t.Context(), job); err != nil || row.State != store.Available || row.Forgiven != 1 {
		t.Errorf("the job is %+v, %v", row, err)
	}
	// Once more, by another who still saw it dead.
	admin.post(path+"/retry", url.Values{"next": {path}}).leads(path)
	admin.get(path).has(fmt.Sprintf("Job %d is no longer dead but ready. Nothing was changed.", job))
	admin.post(path+"/drop", nil).leads("/admin/jobs")
	admin.get("/admin/jobs").has("Nothing was changed.")
	if !strings.Contains(b.logs.String(), `"msg":"job retried"`) || strings.Contains(b.logs.String(), `"msg":"job dropped"`) {
		t.Error("the log does not tell what the administrator did")
	}
}

func TestADeadMailIsDropped(t *testing.T) {
	b, admin, job := withDeadMail(t)
	path := fmt.Sprint("/admin/jobs/", job)
	admin.post(path+"/drop", url.Values{"next": {path}}).leads("/admin/jobs")
	admin.get("/admin/jobs").has(fmt.Sprintf("Job %d is dropped: it will never run, and its history is deleted.", job))
	admin.get(path).wants(http.StatusNotFound)
	for _, again := range []string{"/drop", "/retry"} {
		admin.post(path+again, nil).wants(http.StatusNotFound).has(fmt.Sprintf("Job %d is not there any more. Nothing was changed.", job))
	}
	if !strings.Contains(b.logs.String(), `"msg":"job dropped"`) {
		t.Error("the log does not tell what the administrator did")
	}
}

func TestAFormOfJobsLeadsNowhereElse(t *testing.T) {
	_, admin, job := withDeadMail(t)
	for _, next := range []string{"https://evil.test/", "//evil.test", "/posts/1", "/admin/jobs/../../x?y", "/admin/jobs.evil?", "\\evil"} {
		admin.post(fmt.Sprint("/admin/jobs/", job, "/retry"), url.Values{"next": {next}}).leads("/admin/jobs")
	}
}

func TestJobsAreNarrowedByPlainLinks(t *testing.T) {
	b, admin, dead := withDeadMail(t)
	waiting := storetest.Signup(t, b.store)
	for path, want := range map[string]int{
		"/admin/jobs": 3, "/admin/jobs?state=dead": 1, "/admin/jobs?state=available": 1, "/admin/jobs?kind=verify_mail": 3,
		"/admin/jobs?kind=verify_mail&state=done": 1, // the mail of the administrator's own sign-up
		"/admin/jobs?kind=views":                  0, "/admin/jobs?kind=%00%ff<b>": 0,
	} {
		if got := len(listedIDs(admin.get(path).wants(http.StatusOK))); got != want {
			t.Errorf("%s lists %d jobs (sign-up %d, dead %d), want %d", path, got, waiting, dead, want)
		}
	}
	for _, path := range []string{
		"?state=nope", "?before=x", "?after=-1", "?before=1&after=2", "?kind=" + strings.Repeat("k", 200),
	} {
		admin.get("/admin/jobs" + path).wants(http.StatusBadRequest)
	}
	// Every link of the filter is one that works.
	admin.get("/admin/jobs?state=dead").doc().Find(".chips a, table a").Each(func(_ int, s *goquery.Selection) {
		admin.get(s.AttrOr("href", "")).wants(http.StatusOK)
	})
	for _, path := range []string{"/admin/jobs/0", "/admin/jobs/x", "/admin/jobs/99999"} {
		admin.get(path).wants(http.StatusNotFound)
	}
}

func TestThePagesOfTheListOfJobsJoin(t *testing.T) {
	b := newBoard(t)
	admin := b.as(storetest.Admin(t, b.store))
	for range 2*jobsPageSize + 10 {
		if err := b.store.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	first := admin.get("/admin/jobs?kind=views&state=available").wants(http.StatusOK)
	page := first
	for {
		all = append(all, listedIDs(page)...)
		next, more := page.doc().Find("a[rel=next]").Attr("href")
		if !more {
			break
		}
		page = admin.get(next).wants(http.StatusOK)
	}
	seen := map[string]bool{}
	for _, id := range all {
		seen[id] = true
	}
	if len(all) != 2*jobsPageSize+10 || len(seen) != len(all) {
		t.Errorf("%d jobs are listed, %d of them once", len(all), len(seen))
	}
	page = admin.get(page.attr("a[rel=prev]", "href"))
	page = admin.get(page.attr("a[rel=prev]", "href"))
	if diff := cmp.Diff(listedIDs(first), listedIDs(page)); diff != "" {
		t.Errorf("the way back ends elsewhere:\n%s", diff)
	}
}

func TestLostLeasesAndTheOldestJobAreShown(t *testing.T) {
	b := newBoard(t)
	admin := b.as(storetest.Admin(t, b.store))
	storetest.Signup(t, b.store)
	if _, err := b.store.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(5 * time.Minute)
	if n, err := b.store.ReapJobs(t.Context()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	row := admin.get("/admin/jobs").wants(http.StatusOK).doc().Find("tr[data-kind=verify_mail]")
	if got := row.Find("[data-lost]").Text(); got != "1" {
		t.Errorf("%q leases are lost", got)
	}
	if got := strings.TrimSpace(row.Find("[data-oldest]").Text()); got != "5 minutes ago" {
		t.Errorf("the oldest has been due since %q", got)
	}
}

func TestNoSecretStandsOnThePagesOfJobs(t *testing.T) {
	b := newBoard(t)
	admin := b.as(storetest.Admin(t, b.store))
	storetest.Signup(t, b.store)
	jobs, err := b.store.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	mail, err := b.store.OutgoingMail(t.Context(), jobs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/admin/jobs", fmt.Sprint("/admin/jobs/", jobs[0].ID)} {
		body := admin.get(path).wants(http.StatusOK).body
		for _, secret := range []string{mail.Token, mail.Code, mail.MessageID, jobs[0].Lease} {
			if strings.Contains(body, secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
	}
}
