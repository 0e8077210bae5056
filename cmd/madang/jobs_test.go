package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"madang/store/storetest"
)

// refusingPostbox refuses every recipient whose address begins with "bad", for
// as long as it is told to.
type refusingPostbox struct {
	*postbox
	mends chan struct{} // closed when it takes all mail
}

func newRefusingPostbox(t *testing.T) *refusingPostbox {
	t.Helper()
	r := &refusingPostbox{postbox: &postbox{came: make(chan struct{})}, mends: make(chan struct{})}
	r.url = serveMail(t, r)
	return r
}

// NewSession implements smtp.Backend.
func (r *refusingPostbox) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &refusingHandover{handover: handover{box: r.postbox}, mends: r.mends}, nil
}

// refusingHandover is one connection of a client.
type refusingHandover struct {
	handover
	mends chan struct{}
}

func (h *refusingHandover) Rcpt(to string, o *smtp.RcptOptions) error {
	select {
	case <-h.mends:
	default:
		if strings.HasPrefix(to, "bad") {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<b>nobody</b> of that name"}
		}
	}
	return h.handover.Rcpt(to, o)
}

// listed returns what `madang jobs list --json` prints.
func listed(t *testing.T, data string, args ...string) []map[string]any {
	t.Helper()
	said, err := runCommand(t, "", append([]string{"jobs", "list", "--json", "--data", data}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []map[string]any
	if err := json.Unmarshal([]byte(said), &jobs); err != nil {
		t.Fatalf("%v in %q", err, said)
	}
	return jobs
}

// awaitDead waits until so many jobs are dead and returns their numbers.
func awaitDead(t *testing.T, data string, count int) (ids []string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		jobs := listed(t, data, "--state", "dead")
		if len(jobs) != count {
			continue
		}
		for _, j := range jobs {
			id, _ := j["id"].(float64)
			ids = append(ids, strconv.FormatInt(int64(id), 10))
		}
		return ids
	}
	t.Fatalf("not %d jobs are dead: %v", count, listed(t, data))
	return nil
}

// withDeadMails is a board that runs and has so many dead mails.
func withDeadMails(t *testing.T, count int) (box *refusingPostbox, data string, ids []string) {
	t.Helper()
	box, data = newRefusingPostbox(t), newData(t)
	site := startBoard(t, data, "--smtp-url", box.url)
	for i := range count {
		signUp(site.browser(t, "b"), fmt.Sprint("bad", i)).redirected(t, "/auth/pending")
	}
	return box, data, awaitDead(t, data, count)
}

func TestEndToEndDeadMailGoesOutBesideARunningBoard(t *testing.T) {
	box, data, ids := withDeadMails(t, 3)
	job := listed(t, data, "--state", "dead")[0]
	keys := []string{}
	for key := range job {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if got := strings.Join(keys, " "); got != "attempt id kind last_error run_at state" {
		t.Errorf("a job has %s", got)
	}
	if words, _ := job["last_error"].(string); !strings.Contains(words, "<b>nobody</b> of that name") || job["kind"] != "verify_mail" || job["attempt"] != 1. {
		t.Errorf("the job is %v", job)
	}
	if _, err := time.Parse(time.RFC3339, fmt.Sprint(job["run_at"])); err != nil {
		t.Error(err)
	}
	close(box.mends)
	if said, err := runCommand(t, "", "jobs", "retry", "--data", data, ids[0]); err != nil || said != "job "+ids[0]+" is set to work again\n" {
		t.Errorf("%q, %v", said, err)
	}
	box.wait(t, "bad2@example.com") // the newest is listed first
	if said, err := runCommand(t, "", "jobs", "retry", "--data", data, "--all-dead"); err != nil || said != "2 jobs: each is set to work again\n" {
		t.Errorf("%q, %v", said, err)
	}
	box.wait(t, "bad0@example.com")
	box.wait(t, "bad1@example.com")
	awaitDead(t, data, 0)
}

func TestEndToEndOneWrongNumberChangesNothing(t *testing.T) {
	_, data, ids := withDeadMails(t, 2)
	for _, verb := range []string{"retry", "drop"} {
		said, err := runCommand(t, "", "jobs", verb, "--data", data, ids[0], "99999", ids[1])
		if err == nil || oneLine(err) != err.Error() || !strings.Contains(err.Error(), "nothing was changed") || !strings.Contains(err.Error(), "99999") || said != "" {
			t.Errorf("%s: %q, %v", verb, said, err)
		}
	}
	awaitDead(t, data, 2)
	if said, err := runCommand(t, "", "jobs", "drop", "--data", data, ids[0]); err != nil || said != "job "+ids[0]+" is dropped\n" {
		t.Errorf("%q, %v", said, err)
	}
	if said, err := runCommand(t, "", "jobs", "drop", "--data", data, "--all-dead"); err != nil || said != "1 jobs: each is dropped\n" {
		t.Errorf("%q, %v", said, err)
	}
	if left := listed(t, data); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func TestJobsAreListedInColumns(t *testing.T) {
	_, data, ids := withDeadMails(t, 1)
	said, err := runCommand(t, "", "jobs", "list", "--data", data)
	lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
	if err != nil || len(lines) != 2 || strings.Index(lines[0], "LAST ERROR") != strings.Index(lines[1], "RCPT:") || !strings.HasPrefix(lines[1], ids[0]) {
		t.Errorf("%v:\n%s", err, said)
	}
}

func TestBadRequestsForJobs(t *testing.T) {
	data := newData(t)
	startBoard(t, data)
	for args, want := range map[string]string{
		"list --state=late":      "--state: must be available, scheduled, running, done or dead",
		"list 7":                 "unexpected argument 7",
		"retry":                  "give either the numbers of jobs or --all-dead",
		"drop 1 --all-dead":      "give either the numbers of jobs or --all-dead",
		"drop seven":             "seven",
		"retry 1":                "nothing was changed: retry dead jobs: job 1: not found",
		"retry --all-dead --foo": "unknown flag --foo",
	} {
		said, err := runCommand(t, "", append([]string{"jobs"}, strings.Fields(args+" --data "+data)...)...)
		if err == nil || !strings.Contains(err.Error(), want) || said != "" || strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%s: %q, %v", args, said, err)
		}
	}
	if got := listed(t, data); len(got) != 0 {
		t.Errorf("an empty board has jobs: %v", got)
	}
}

// An operator in the wrong directory must not read that nothing is dead.
func TestJobsAreThoseOfABoardThatIsThere(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	refused := func(t *testing.T, flags ...string) {
		t.Helper()
		for _, args := range []string{"jobs list", "jobs retry --all-dead", "jobs drop 1", "mail test me@example.com"} {
			said, err := runCommand(t, "", append(strings.Fields(args), flags...)...)
			if err == nil || !strings.Contains(err.Error(), "there is no board in") || said != "" {
				t.Errorf("%s: %q, %v", args, said, err)
			}
		}
		if _, err := os.Stat(data); err == nil {
			t.Error("a data directory was made")
		}
	}
	t.Run("SQLite", func(t *testing.T) { refused(t, "--data", data) })
	t.Run("PostgreSQL", func(t *testing.T) {
		refused(t, "--data", data, "--database", storetest.PostgresOnce(t).Blank(t))
	})
}
