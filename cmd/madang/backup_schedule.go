package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"madang/store"
)

// clockTime is a time of the day, the zero value for none.
type clockTime struct {
	set          bool
	hour, minute int
}

// UnmarshalText reads HH:MM.
func (c *clockTime) UnmarshalText(text []byte) error {
	at, err := time.Parse("15:04", string(text))
	if err != nil || len(text) != len("03:30") {
		return fmt.Errorf("must be a time of the day from 00:00 to 23:59, such as 03:30, not %q", text)
	}
	*c = clockTime{set: true, hour: at.Hour(), minute: at.Minute()}
	return nil
}

// String returns HH:MM, nothing for none.
func (c clockTime) String() string {
	if !c.set {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", c.hour, c.minute)
}

// cron is the time as a schedule takes it.
func (c clockTime) cron() string { return fmt.Sprintf("0 %d %d * * *", c.minute, c.hour) }

// backupCount is how many backups are kept.
type backupCount int

const maxBackups = 1000

// UnmarshalText reads the number.
func (n *backupCount) UnmarshalText(text []byte) error {
	read, err := strconv.Atoi(string(text))
	if err != nil || read < 1 || read > maxBackups {
		return fmt.Errorf("must be a whole number from 1 to %d, not %q", maxBackups, text)
	}
	*n = backupCount(read)
	return nil
}

// ownBackups holds the settings of the backups that the board makes by itself.
type ownBackups struct {
	BackupAt   clockTime   `placeholder:"HH:MM" help:"When to back the board up each day, into backups in the data directory. Default: never."`
	BackupKeep backupCount `default:"7" placeholder:"N" help:"How many of these backups are kept; older ones are deleted once a new one is good."`
}

// checkBackups refuses what cannot be done before anything is begun.
func (c *serveCmd) checkBackups() error {
	if c.BackupAt.set && store.OnServer(c.address()) {
		return badSetting("backup-at", "must be left out with PostgreSQL, which has pg_dump for backups")
	}
	return nil
}

// backupTask makes the backup of a day, nil when the board makes none by itself.
func (c *serveCmd) backupTask(now func() time.Time, log *slog.Logger) func(context.Context) (string, error) {
	if !c.BackupAt.set {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		began := time.Now()
		file, made, err := c.backUpInto(ctx, dailyBackup(now()))
		if err != nil {
			return "", err
		}
		log.LogAttrs(ctx, slog.LevelInfo, "backed up", slog.String("file", file),
			slog.Int64("bytes", made.Size), slog.Duration("took", time.Since(began)))
		if err := c.prune(dailyBackups, int(c.BackupKeep)); err != nil { // this one is good all the same
			log.LogAttrs(ctx, slog.LevelError, "old backups are still there", slog.Any("err", err))
		}
		return filepath.Base(file) + ", " + size(made.Size), nil
	}
}

// backups is the directory of the backups that the board makes by itself.
func (s storage) backups() string { return filepath.Join(string(s.Data), "backups") }

// backUpInto makes a backup of a name in the directory of backups. All there
// that has no name yet was left by a killed process.
func (s storage) backUpInto(ctx context.Context, name string) (string, store.BoardFile, error) {
	if err := s.makeBackups(); err != nil {
		return "", store.BoardFile{}, err
	}
	file := filepath.Join(s.backups(), name)
	turn, err := s.waitForBackups(ctx)
	if err != nil {
		return "", store.BoardFile{}, err
	}
	defer turn.Close() //nolint:errcheck // ends with the process at the latest
	if err := store.RemovePartials(s.backups(), ""); err != nil {
		return "", store.BoardFile{}, err
	}
	made, err := store.Backup(ctx, s.file(), file)
	if err == nil {
		err = s.own(file)
	}
	return file, made, err
}

func (s storage) makeBackups() error {
	switch err := os.Mkdir(s.backups(), 0o700); {
	case errors.Is(err, os.ErrExist):
		return nil
	case err != nil:
		return fmt.Errorf("make the directory of backups: %w", err)
	}
	return s.own(s.backups())
}

// stampForm is how the names of backups tell their time, in UTC, where no hour
// comes twice.
const stampForm = "20060102T150405.000Z"

// dailyBackups are the names of the scheduled backups, in the order of their times.
var dailyBackups = regexp.MustCompile(`^madang-\d{8}T\d{6}\.\d{3}Z\.db$`)

func dailyBackup(now time.Time) string { return "madang-" + now.UTC().Format(stampForm) + ".db" }

// prune keeps the newest backups of such names.
func (s storage) prune(names *regexp.Regexp, keep int) error {
	entries, err := os.ReadDir(s.backups())
	if err != nil {
		return fmt.Errorf("delete old backups: %w", err)
	}
	var found []string
	for _, e := range entries {
		if names.MatchString(e.Name()) {
			found = append(found, e.Name())
		}
	}
	slices.Sort(found)
	for _, old := range found[:max(0, len(found)-keep)] {
		if err := os.Remove(filepath.Join(s.backups(), old)); err != nil {
			return fmt.Errorf("delete old backups: %w", err)
		}
	}
	return nil
}
