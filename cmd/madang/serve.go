package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"madang/jobs"
	"madang/store"
	"madang/views"
	"madang/web"
)

// siteName is what the board calls itself in pages and mails.
const siteName = "Madang"

// Run builds the board part by part, says that it is ready, and serves it
// until ctx ends.
func (c *serveCmd) Run(ctx context.Context, s streams) (err error) {
	if err := errors.Join(c.checkMailbox(), c.checkBackups()); err != nil {
		return err
	}
	lock, err := c.lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	log, err := newLogger(s.out, c.LogFormat, c.LogLevel)
	if err != nil {
		return err
	}
	figures, err := jobs.NewFigures(time.Now)
	if err != nil {
		return err
	}
	counted := c.newMetrics()
	db, err := c.open(ctx, counted.watchStore(c.storeOptions(figures, log)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Addr.String())
	if err != nil {
		return badSetting("addr", err.Error())
	}
	defer listener.Close() //nolint:errcheck // closed already when the board was served
	if err := counted.listen(ctx, c.MetricsAddr); err != nil {
		return err
	}
	defer counted.close()
	c.fillIn(listener.Addr())
	parts, err := c.build(ctx, db, figures, counted, listener, log)
	if err != nil {
		return err
	}
	c.announce(ctx, s.err, log)
	err = runParts(ctx, parts)
	log.LogAttrs(context.WithoutCancel(ctx), slog.LevelInfo, "stopped")
	return err
}

// checkMailbox refuses to show everybody's mail to other machines by mere
// omission of a mail server.
func (c *serveCmd) checkMailbox() error {
	if c.SMTPURL != "" || c.DevMail {
		return nil
	}
	const words = "must name a mail server, since %s is open to other machines; without one everybody's mail can be read at /dev/mail, which --dev-mail allows"
	if !isLoopback(c.Addr.host) {
		return badSetting("smtp-url", fmt.Sprintf(words, "--addr "+c.Addr.String()))
	}
	if c.BaseURL.url != nil && !isLoopback(c.BaseURL.url.Hostname()) {
		return badSetting("smtp-url", fmt.Sprintf(words, "--base-url "+c.BaseURL.String()))
	}
	return nil
}

func (c *serveCmd) storeOptions(figures *jobs.Figures, log *slog.Logger) store.Options {
	return store.Options{
		HashSlots: int(c.HashSlots),
		NoLimits:  c.RateLimits == "off",
		Zone:      c.Timezone.location,
		Log:       log,
		Enqueued:  figures.Arrive,
	}
}

// fillIn gives the settings that follow from others their defaults, once it
// is known where the board listens.
func (c *serveCmd) fillIn(listens net.Addr) {
	if tcp, ok := listens.(*net.TCPAddr); ok && c.BaseURL.url == nil {
		c.BaseURL = c.Addr.publicURL(tcp.Port)
	}
	if c.MailFrom == "" {
		c.MailFrom = c.BaseURL.defaultSender()
	}
}

func (c *serveCmd) site() views.Site {
	return views.Site{
		Name: siteName, BaseURL: c.BaseURL.String(), Prefix: c.BaseURL.prefix(),
		DevMail: c.SMTPURL == "", Zone: c.Timezone.location, BackupAt: c.BackupAt.String(),
	}
}

// build returns the parts of the board, those that others rely on first.
func (c *serveCmd) build(
	ctx context.Context, db *store.Store, figures *jobs.Figures, counted *metrics, listener net.Listener, log *slog.Logger,
) ([]part, error) {
	adopted, err := db.AdoptJobs(ctx)
	if err != nil {
		return nil, fmt.Errorf("take back jobs: %w", err)
	}
	if adopted > 0 {
		log.LogAttrs(ctx, slog.LevelInfo, "jobs of the last run are available again", slog.Int64("jobs", adopted))
	}
	recorder, err := jobs.NewViews(db, log)
	if err != nil {
		return nil, err
	}
	behind, err := c.buildBehind(db, figures, counted, log)
	if err != nil {
		return nil, err
	}
	server, err := web.New(web.Options{
		Store: db, Views: recorder, Pools: figures, Site: c.site(),
		TrustedProxies: c.TrustedProxies, Log: log, Now: db.Now, Watch: counted.watchWeb(),
	})
	if err != nil {
		return nil, err
	}
	parts := append(counted.part(db, figures, log), part{"view recorder", recorder.Run})
	parts = append(parts, behind...)
	return append(parts, part{"web server", newFront(server, listener, time.Duration(c.DrainDelay), log).run}), nil
}

// buildBehind returns the parts that work behind the answers.
func (c *serveCmd) buildBehind(db *store.Store, figures *jobs.Figures, counted *metrics, log *slog.Logger) ([]part, error) {
	mails, err := c.mailPart(db, figures, counted, log)
	if err != nil {
		return nil, err
	}
	counts, err := jobs.NewPool(jobs.PoolOptions{
		Name: "views", Store: db, Handlers: jobs.ViewHandlers(), Workers: int(c.ViewWorkers), Log: log,
		DoneLevel: slog.LevelDebug, Figures: figures, Ended: counted.watchPool(), Now: db.Now,
	})
	if err != nil {
		return nil, err
	}
	reaper, err := jobs.NewReaper(db, log, append(store.MailKinds(), store.KindViews)...)
	if err != nil {
		return nil, err
	}
	schedule, err := jobs.NewSchedule(jobs.ScheduleOptions{
		Store: db, Cron: string(c.CleanupAt), Zone: c.Timezone.location, Log: log, Now: db.Now,
		Backup: c.backupTask(db.Now, log), BackupAt: c.BackupAt.cron(), Ended: counted.watchSchedule(),
	})
	if err != nil {
		return nil, err
	}
	return []part{
		{"reaper", reaper.Run}, {"view pool", counts.Run}, mails, {"schedule", schedule.Run},
	}, nil
}

// announce tells the person at the terminal where the board is, and the log
// how it runs.
func (c *serveCmd) announce(ctx context.Context, w io.Writer, log *slog.Logger) {
	mail := "to the built-in mailbox at " + c.BaseURL.String() + "/dev/mail"
	if server, err := jobs.ParseMailServer(string(c.SMTPURL)); err == nil {
		mail = "through " + server.String()
	}
	log.LogAttrs(ctx, slog.LevelInfo, "ready", slog.String("base_url", c.BaseURL.String()), slog.String("addr", c.Addr.String()),
		slog.String("database", c.name()), slog.String("mail", mail), slog.String("version", version()))
	if c.RateLimits == "off" {
		log.LogAttrs(ctx, slog.LevelWarn, "rate limits are off: every limit in time is lifted")
	}
	fmt.Fprintf(w, "Madang is ready at %s\nMail goes %s\n", c.BaseURL.String(), mail)
}
