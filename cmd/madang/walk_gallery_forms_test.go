package main

import (
	"time"

	"github.com/a-h/templ"

	"madang/store"
	"madang/views"
)

func (e *exhibition) forms(all map[string]templ.Component) {
	all["forgot"] = views.Forgot(views.ForgotPage{Page: failed(e.guest(), map[string]store.Problem{"email": store.Malformed}), Email: e.said("minsu@", "morgan@")})
	all["forgot-sent"] = views.ForgotSent(views.ForgotPage{Page: e.guest()})
	wrong := failed(e.guest(), map[string]store.Problem{"form": "login"})
	all["login-throttled"] = views.Login(views.LoginPage{Page: wrong, Email: e.said("minsu@example.com", "morgan@example.com"), Refused: true, Wait: 2 * time.Minute})
	all["login-first"] = views.Login(views.LoginPage{Page: noticed(e.guest(), views.NoticeLoginFirst), Next: "/posts/new"})
	all["signup"] = views.Signup(views.SignupPage{
		Page:  failed(e.guest(), map[string]store.Problem{"nickname": store.Taken, "password": store.TooShort}),
		Email: e.said("minsu@example.com", "morgan@example.com"), Name: e.said("김민수", "Morgan Hill"), Nickname: e.said("민수", "morgan"),
	})
	all["post-form"] = views.PostForm(views.PostFormPage{
		Page: failed(e.member(), map[string]store.Problem{"title": store.TooLong}), ID: 9, Title: e.said("제목", "Title"), Body: e.said("본문", "Text"),
		Writing: views.Writing{Previewed: true, SavedAt: ago(time.Hour), Base: ago(2 * time.Hour), Changed: true},
	})
	all["comment-form"] = views.Comment(views.CommentPage{
		Page: failed(e.member(), map[string]store.Problem{"body": store.TooLong}), ID: 11, PostID: 9, Body: e.said("댓글", "Comment"),
	})
	all["account"] = views.Account(views.AccountPage{
		Page: failed(e.member(), map[string]store.Problem{"email": store.Malformed}), Form: views.AccountEmail, Email: e.said("minsu@", "morgan@"),
		Pending: e.said("new@example.com", "new@example.com"), Sessions: []store.OpenSession{
			{ID: 1, Device: e.said("Firefox on Linux", "Firefox on Linux"), CreatedAt: ago(time.Hour), SeenAt: ago(time.Minute), Current: true},
			{ID: 2, CreatedAt: ago(200 * time.Hour), SeenAt: ago(100 * time.Hour)},
		},
	})
	mail := store.MailboxMail{
		ID: 9, To: e.said("minsu@example.com", "morgan@example.com"), Subject: e.said("가입을 마쳐 주세요", "Finish your sign-up"),
		Text: e.said("안녕하세요.", "Hello,"), HTML: "<p>" + e.said("안녕하세요.", "Hello,") + "</p>", Link: "/", Code: e.said("482913", "482913"), At: ago(time.Minute),
	}
	all["mailbox"] = views.Mailbox(views.MailboxPage{Page: e.guest(), To: mail.To, Mails: []store.MailboxMail{mail, mail}})
	all["mail"] = views.Mail(views.MailPage{Page: e.guest(), Mail: mail})
	all["confirm"] = views.Confirm(views.ConfirmPage{
		Page: failed(e.chief(), map[string]store.Problem{"current": store.Wrong}), Act: views.ActDisable, Member: e.person(), Next: "/admin/users",
	})
}

func (e *exhibition) person() store.MemberRow {
	return store.MemberRow{User: store.User{
		ID: 7, Email: e.said("jiwoo@example.com", "jiwoo@example.com"), Nickname: e.said("지우", "jiwoo"), Name: e.said("한지우", "Jiwoo Han"),
		Role: store.Member, CreatedAt: ago(700 * time.Hour),
	}}
}

func (e *exhibition) admin(all map[string]templ.Component) {
	backed := e.chief()
	backed.Site.BackupAt = "03:30"
	all["admin-backup"] = views.Admin(views.AdminPage{Page: backed, Backups: store.BackupRuns{
		Good: ago(26 * time.Hour), Failed: ago(2 * time.Hour), Failure: "back up madang.db: the disk is full; free some space there or name a file on another disk",
	}})
	all["admin-alarm"] = views.Admin(views.AdminPage{
		Page:   e.chief(),
		Alarms: []store.Alarm{{Kind: store.AlarmMail, Since: ago(3 * time.Hour), Reason: e.said("535 5.7.8 authentication failed", "535 5.7.8 authentication failed")}},
		Jobs:   []store.JobCount{{Kind: store.KindVerifyMail, State: store.Scheduled, Count: 1234}, {Kind: store.KindVerifyMail, State: store.Dead, Count: 3}, {Kind: store.KindViews, State: store.Done, Count: 1}},
	})
	all["users-weak"] = views.Users(views.UsersPage{Page: e.chief(), Weak: e.said("지우", "jiwoo"), List: store.MemberList{Members: []store.MemberRow{e.person()}}})
	all["jobs-none"] = views.Jobs(views.JobsPage{Page: e.chief()})
	all["job-running"] = views.Job(views.JobPage{Page: e.chief(), Job: store.JobRow{
		ID: 7, Kind: store.KindVerifyMail, State: store.Running, Attempt: 2, To: e.person().Email,
		RunAt: ago(time.Minute), CreatedAt: ago(time.Hour), StartedAt: ago(time.Second), LastError: e.said("450 4.2.0 try later", "450 4.2.0 try later"),
	}})
}

// pools are one that has too few workers, and one that has nothing to do.
func (e *exhibition) pools(all map[string]templ.Component) {
	busy := views.Load{
		From: ago(time.Minute), Lasted: time.Minute, Arrived: 400, Done: 290, Failed: 7,
		Worked: 290 * time.Second, Spent: 290 * time.Second, P50: time.Second, P95: 3 * time.Second,
	}
	minutes := make([]views.Load, 60)
	for i := range minutes {
		minutes[i] = busy
		minutes[i].From = ago(time.Duration(59-i) * time.Minute)
		minutes[i].Arrived, minutes[i].Done = int64(200+i*i%97*3), int64(180+i*i%83)
	}
	kinds := []views.KindFigures{{Kind: store.KindVerifyMail, Last: busy, Hour: busy}, {Kind: store.KindViews}}
	all["pools-busy"] = views.Pools(views.PoolsPage{Page: e.chief(), Backlog: map[string]int64{store.KindVerifyMail: 1234}, Pools: []views.PoolFigures{
		{Name: "mail", Workers: 5, Busy: 5, Since: ago(2 * time.Hour), Last: busy, Peak: busy, Hour: busy, Kinds: kinds, Minutes: minutes},
		{Name: "views", Workers: 2, Since: ago(2 * time.Minute), Minutes: make([]views.Load, 60)},
	}})
}
