package views

import (
	"strings"
	"testing"
	"time"

	"madang/store"
)

// backedUp is a page of a board that backs itself up.
func backedUp(p Page) Page {
	p.Site.BackupAt = "03:30"
	return p
}

func TestTheOverviewTellsOfBackups(t *testing.T) {
	page := testPage(English, "")
	for name, c := range map[string]struct {
		page  Page
		runs  store.BackupRuns
		alarm string
		line  string
	}{
		"off":            {page, store.BackupRuns{Failed: now, Failure: "of earlier"}, "", ""},
		"none yet":       {backedUp(page), store.BackupRuns{}, "", "There is no good backup yet."},
		"good":           {backedUp(page), store.BackupRuns{Good: now.Add(-20 * time.Hour)}, "", "Last good backup: 20 hours ago"},
		"old":            {backedUp(page), store.BackupRuns{Good: now.Add(-49 * time.Hour)}, "There has been no good backup for more than two days", "Last good backup: 2 days ago"},
		"failed":         {backedUp(page), store.BackupRuns{Good: now.Add(-time.Hour), Failed: now, Failure: "the disk is full"}, "The last backup failed", "Last good backup: 1 hour ago"},
		"failed at once": {backedUp(page), store.BackupRuns{Failed: now, Failure: "the disk is full"}, "The last backup failed", "There is no good backup yet."},
	} {
		doc := document(t, Admin(AdminPage{Page: c.page, Backups: c.runs}))
		if got := doc.Find("[role=alert][data-alarm=backup] h2").Text(); got != c.alarm {
			t.Errorf("%s: the alarm is %q, want %q", name, got, c.alarm)
		}
		if got := strings.Join(strings.Fields(doc.Find("#backup").Text()), " "); got != c.line {
			t.Errorf("%s: it says %q, want %q", name, got, c.line)
		}
	}
}
