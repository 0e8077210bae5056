package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// BackupTask is the scheduled task that backs the board up.
const BackupTask = "backup"

// TaskFailed is how the result of a task begins that failed.
const TaskFailed = "failed: "

// backupLife is how old the last good backup may be.
const backupLife = 48 * time.Hour

// BackupRuns is what became of the scheduled backups of the last weeks.
type BackupRuns struct {
	Good    time.Time // of the last good one; zero: there is none
	Failed  time.Time // of the last one, when it failed
	Failure string    // why
}

// Late reports whether the last good backup is too old to rely on.
func (b BackupRuns) Late(now time.Time) bool {
	return !b.Good.IsZero() && now.Sub(b.Good) > backupLife
}

// BackupRuns looks at the scheduled backups that have ended.
func (s *Store) BackupRuns(ctx context.Context) (BackupRuns, error) {
	rows, err := s.readers.QueryContext(ctx, `SELECT finished_at, result FROM slots
		WHERE task = $1 AND finished_at IS NOT NULL ORDER BY started_at DESC`, BackupTask)
	if err != nil {
		return BackupRuns{}, fmt.Errorf("runs of the backup: %w", err)
	}
	runs, err := scanBackupRuns(rows)
	if err != nil {
		return BackupRuns{}, fmt.Errorf("runs of the backup: %w", err)
	}
	return runs, nil
}

// scanBackupRuns goes back to the last good one.
func scanBackupRuns(rows *sql.Rows) (runs BackupRuns, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var ended int64
		var result string
		if err := rows.Scan(&ended, &result); err != nil {
			return BackupRuns{}, err
		}
		failure, failed := strings.CutPrefix(result, TaskFailed)
		if !failed {
			runs.Good = fromMillis(ended)
			break
		}
		if runs.Failed.IsZero() {
			runs.Failed, runs.Failure = fromMillis(ended), failure
		}
	}
	return runs, rows.Err()
}
