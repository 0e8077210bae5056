package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestAnEventIsOneLineInUTC(t *testing.T) {
	seoul := time.Date(2026, 5, 1, 3, 0, 0, 0, time.FixedZone("KST", 9*60*60))
	for _, format := range []string{"json", "text"} {
		var lines strings.Builder
		log, err := newLogger(&lines, format, "info")
		if err != nil {
			t.Fatal(err)
		}
		event := slog.NewRecord(seoul, slog.LevelInfo, "two\nlines", 0)
		event.Add("nickname", "a\nlevel=ERROR b", "time", "none")
		if err := log.Handler().Handle(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(lines.String(), "2026-04-30T18:00:00.000Z") && !strings.Contains(lines.String(), "2026-04-30T18:00:00Z") {
			t.Errorf("%s is not in UTC: %s", format, lines.String())
		}
		if strings.Count(lines.String(), "\n") != 1 {
			t.Errorf("%s takes more than one line: %q", format, lines.String())
		}
	}
}
