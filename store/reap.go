package store

import (
	"context"
	"fmt"
	"strings"
)

// ReapJobs makes available again what workers held beyond their lease and
// returns how many they were. The attempt stays counted, so that a job that
// kills its process ends some day.
func (s *Store) ReapJobs(ctx context.Context) (int64, error) {
	return s.giveBackRunning(ctx, ` AND lease_until < $1`, millis(s.now()))
}

// AdoptJobs takes back at once what a dead predecessor held. It is for a
// process that knows itself alone with the database.
func (s *Store) AdoptJobs(ctx context.Context) (int64, error) {
	return s.giveBackRunning(ctx, ``)
}

func (s *Store) giveBackRunning(ctx context.Context, which string, args ...any) (int64, error) {
	var n int64
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx,
			`UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL
			 WHERE state = 'running'`+which+` RETURNING kind`, args...) //nolint:gosec // constant text
		if err != nil {
			return err
		}
		kinds, err := scanStrings(rows)
		for _, kind := range kinds {
			t.ring(kind)
		}
		n = int64(len(kinds))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("take jobs back: %w", err)
	}
	return n, nil
}

// KillUnknown gives up the waiting jobs of kinds that no pool handles, so that
// the operator sees them, and returns how many they were.
func (s *Store) KillUnknown(ctx context.Context, known []string) (int64, error) {
	args := []any{millis(s.now())}
	for _, kind := range known {
		args = append(args, kind)
	}
	var marks strings.Builder
	for i := range known {
		fmt.Fprintf(&marks, ", $%d", i+2)
	}
	var n int64
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		var err error
		n, err = rowsChanged(t.ExecContext(ctx,
			`UPDATE jobs SET state = 'dead', finished_at = $1, last_error = 'unknown kind'
			 WHERE state IN ('available', 'scheduled') AND kind NOT IN (''`+marks.String()+`)`, args...)) //nolint:gosec // numbered marks only
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("kill jobs of unknown kinds: %w", err)
	}
	return n, nil
}
