package main

import (
	"fmt"
	"testing"
)

// TestEndToEndAdministratorsWalk looks at the pages of an administrator whose
// board has dead mail, in every look.
func TestEndToEndAdministratorsWalk(t *testing.T) {
	chromium := startChromium(t)
	for _, look := range looks() {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			box, data := newRefusingPostbox(t), newData(t)
			site := startBoard(t, data, "--smtp-url", box.url)
			makeChief(t, data)
			for i := range 3 {
				signUp(site.browser(t, "b"), fmt.Sprint("bad", i)).redirected(t, "/auth/pending")
			}
			ids := awaitDead(t, data, 3)
			site.visitor(t, chromium, look, "chief").looksAfterJobs(ids)
		})
	}
}

// looksAfterJobs tries one dead job again, drops another, and sees whether the
// workers are enough.
func (v *visitor) looksAfterJobs(ids []string) {
	v.t.Helper()
	v.comesIn("chief")
	v.open("/admin")
	v.see("admin", 200, v.word("admin.title"))
	v.follow(`.tabs a[href$="/admin/jobs"]`)
	v.see("jobs", 200, v.word("jobs.title"))
	v.follow(`table a[href$="state=dead"]`)
	v.see("dead-jobs", 200, v.word("jobs.title"))
	v.reads("article.job code", "<b>nobody</b> of that name")
	v.follow(`article[data-job-id="` + ids[1] + `"] form[action$="/drop"] button`)
	v.reads("[role=status]", ids[1])
	v.see("dropped", 200, v.word("jobs.title"))
	v.follow(`article[data-job-id="` + ids[0] + `"] h3 a`)
	v.see("job", 200, "#"+ids[0])
	v.follow(`form[action$="/retry"] button`)
	v.see("retried", 200, "#"+ids[0])
	v.reads("[role=status]", ids[0])
	v.comeBackUntil("/admin/jobs/"+ids[0], `document.querySelectorAll("tbody tr").length === 2`)
	v.see("history", 200, "#"+ids[0])
	v.follow(`.tabs a[href$="/admin/pools"]`)
	v.see("pools", 200, v.word("pools.title"))
	v.do(click("[data-pool=mail] details summary"))
	v.until(find("[data-pool=mail] details") + ".open")
	v.see("pools-minutes", 200, v.word("pools.title"))
}
