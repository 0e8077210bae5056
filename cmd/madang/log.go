package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// newLogger returns the logger of the whole program.
func newLogger(w io.Writer, format, level string) (*slog.Logger, error) {
	var options slog.HandlerOptions
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	options.Level = least
	options.ReplaceAttr = inUTC
	if format == "text" || (format == "auto" && isTerminal(w)) {
		return slog.New(slog.NewTextHandler(w, &options)), nil
	}
	return slog.New(slog.NewJSONHandler(w, &options)), nil
}

// inUTC writes the time of a line in UTC, wherever the machine stands: lines of
// several are put in one order.
func inUTC(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

// isTerminal tells a stream that a person reads or types.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
