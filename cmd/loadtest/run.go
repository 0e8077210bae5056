package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"madang/cmd/loadtest/internal/engine"
	"madang/cmd/loadtest/internal/metric"
	"madang/cmd/loadtest/internal/report"
	"madang/cmd/loadtest/internal/script"
)

// The exit statuses of k6.
const (
	statusThresholds = 99
	statusUsage      = 104
	statusStopped    = 105
	statusScript     = 107
	statusAborted    = 108
)

type command struct {
	Script  string  `arg:"" help:"The k6 script."`
	BaseURL string  `name:"base-url" help:"Address of the site; the script reads it as __ENV.BASE_URL." placeholder:"URL"`
	Summary string  `help:"Write the figures as JSON, as k6's --summary-export does." placeholder:"FILE.json"`
	Report  string  `help:"Write one HTML page with plots." placeholder:"FILE.html"`
	Out     string  `help:"Write each request as a line of CSV, as k6's --out csv does." placeholder:"csv=FILE.csv"`
	Scale   float64 `default:"1" help:"Multiply the length of the load, stages and start times by this; waiting limits and the script's sleeps stay."`
}

func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	var cmd command
	parser, err := kong.New(&cmd, kong.Name("loadtest"), kong.Writers(stdout, stderr),
		kong.Description("Run a k6 script where k6 itself is not installed."))
	if err == nil {
		_, err = parser.Parse(args)
	}
	if err == nil && cmd.Scale <= 0 {
		err = errors.New("--scale must be above 0")
	}
	if err == nil && cmd.Out != "" && !strings.HasPrefix(cmd.Out, csvOut) {
		err = errors.New("--out must be csv=FILE.csv")
	}
	if err != nil {
		fmt.Fprintf(stderr, "loadtest: %v\n", err)
		return statusUsage
	}
	status, err := cmd.run(ctx, environ, stdout, &shared{to: stderr})
	if err != nil {
		fmt.Fprintf(stderr, "loadtest: %v\n", err)
	}
	return status
}

// csvOut is how the one kind of --out begins.
const csvOut = "csv="

// shared lets many users write whole lines to one place.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

func (c *command) run(ctx context.Context, environ []string, stdout, stderr io.Writer) (int, error) {
	samples, finish, err := c.samples()
	if err != nil {
		return statusUsage, err
	}
	status, err := c.load(ctx, environ, samples, stdout, stderr)
	if unwritten := finish(); unwritten != nil {
		return max(status, statusScript), errors.Join(err, unwritten)
	}
	return status, err
}

// samples opens the file of --out; nil without one.
func (c *command) samples() (s *metric.Samples, finish func() error, err error) {
	if c.Out == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.Create(strings.TrimPrefix(c.Out, csvOut))
	if err != nil {
		return nil, nil, fmt.Errorf("write the samples: %w", err)
	}
	if s, err = metric.NewSamples(f); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return s, func() error { return errors.Join(s.Flush(), f.Close()) }, nil
}

func (c *command) load(ctx context.Context, environ []string, samples *metric.Samples, stdout, stderr io.Writer) (int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &report.Run{
		Script: filepath.Base(c.Script), BaseURL: c.BaseURL, Began: time.Now(),
		Registry: metric.NewRegistry(), Root: &metric.Group{}, Timeline: metric.NewTimeline(),
	}
	s, err := script.Load(c.Script, script.Host{
		Env: c.environment(environ), Registry: r.Registry, Root: r.Root, Timeline: r.Timeline, Samples: samples, Log: stderr,
	}, cancel)
	if err != nil {
		return statusScript, err
	}
	r.Trend = s.Options.SummaryTrendStats
	e, err := engine.New(s, r.Registry, r.Timeline, c.Scale, stderr)
	if err != nil {
		return statusUsage, err
	}
	began, ended := e.Run(ctx)
	if !began {
		return failure(ended), ended
	}
	r.Elapsed, r.Setup = e.Elapsed(), e.Data()
	broken, _ := r.Registry.Judge(r.Elapsed, true)
	if ended != nil {
		r.EndedEarly = ended.Error()
	}
	if err := c.write(context.WithoutCancel(ctx), s, r, stdout, stderr); err != nil {
		return statusScript, err
	}
	return verdict(broken, ended)
}

// verdict is k6's: what ended the run early comes before broken thresholds.
func verdict(broken []string, ended error) (int, error) {
	if ended != nil && !errors.Is(ended, engine.ErrThreshold) {
		return failure(ended), ended
	}
	if len(broken) > 0 {
		return statusThresholds, fmt.Errorf("thresholds are broken: %s", strings.Join(broken, ", "))
	}
	return 0, nil
}

func failure(err error) int {
	switch {
	case errors.Is(err, context.Canceled):
		return statusStopped
	case errors.Is(err, script.ErrAborted):
		return statusAborted
	default:
		return statusScript
	}
}

func (c *command) environment(environ []string) map[string]string {
	env := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	if c.BaseURL != "" {
		env["BASE_URL"] = strings.TrimSuffix(c.BaseURL, "/")
	}
	return env
}

// write tells the result: by the script's handleSummary if it has one, or as
// text; and into the files of --summary and --report.
func (c *command) write(ctx context.Context, s *script.Script, r *report.Run, stdout, stderr io.Writer) error {
	if err := c.files(r); err != nil {
		return err
	}
	if !s.Has("handleSummary") {
		_, err := io.WriteString(stdout, r.Text())
		return err
	}
	data, err := r.Data()
	if err != nil {
		return fmt.Errorf("write the data of handleSummary: %w", err)
	}
	parts, err := s.Summary(ctx, data)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if err := place(name, parts[name], stdout, stderr); err != nil {
			return err
		}
	}
	return nil
}

func place(name string, text []byte, stdout, stderr io.Writer) error {
	var err error
	switch name {
	case "stdout":
		_, err = stdout.Write(text)
	case "stderr":
		_, err = stderr.Write(text)
	default:
		err = os.WriteFile(name, text, 0o644) //nolint:gosec // a report is to be read by others
	}
	if err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}

func (c *command) files(r *report.Run) error {
	if c.Summary != "" {
		text, err := r.Export()
		if err != nil {
			return fmt.Errorf("write %s: %w", c.Summary, err)
		}
		if err := place(c.Summary, append(text, '\n'), nil, nil); err != nil {
			return err
		}
	}
	if c.Report == "" {
		return nil
	}
	f, err := os.Create(c.Report)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return errors.Join(r.Page(f), f.Close())
}
