// Package jobs works off the outbox: fixed pools of workers, the mails, the
// view counter and the night's schedule. It may import store, and views for
// the bodies of mails; it alone speaks SMTP.
//
// A [Pool] claims jobs of its kinds and runs their handlers; a [Reaper] takes
// back what a dead process left. [Mailer] holds the handlers of mail and sends
// through a [Sender], which is [SMTP] or the built-in [Mailbox]; a [Breaker]
// slows their pool down while the mail server is out of order. [Views] makes
// view events durable in batches; a [Schedule] runs what is due at its time.
package jobs
