// Package jobs works off the outbox: fixed pools of workers, the mails, the
// view counter and the night's schedule. It may import store, and views for
// the bodies of mails; it alone speaks SMTP.
package jobs
