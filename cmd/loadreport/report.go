package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"madang/cmd/loadreport/internal/page"
	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/runner"
	"madang/cmd/loadreport/internal/scenario"
	"madang/cmd/loadreport/internal/table"
)

// run measures one scenario after the other and tells what came out, also of
// those before one that could not be measured.
func (c *command) run(ctx context.Context, stdout, stderr io.Writer) error {
	if c.full() {
		if err := table.Check(c.Readme); err != nil {
			return err
		}
	}
	r, err := runner.Find(ctx, c.Loadtest, c.Scale)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Results, 0o755); err != nil { //nolint:gosec // a report is to be read by others
		return fmt.Errorf("make the directory of the report: %w", err)
	}
	fmt.Fprintf(stderr, "run by %s\n", r.Name)
	results, err := c.measureAll(ctx, r, stderr)
	if ctx.Err() != nil || len(results) == 0 {
		return err
	}
	return errors.Join(err, c.tell(r, results, stdout))
}

func (c *command) measureAll(ctx context.Context, r runner.Runner, stderr io.Writer) (results []result.Result, err error) {
	for _, s := range scenario.Choose(c.Only) {
		m := measurement{
			command: c, scenario: s.Scaled(c.Scale), runner: r,
			load:     runner.Load{Script: c.script(s), Results: c.Results, Name: s.Name},
			progress: newPrefixed(stderr, s.Name),
		}
		measured, failed := m.measure(ctx)
		if failed != nil {
			return results, fmt.Errorf("%s: %w", s.Name, failed)
		}
		results = append(results, measured)
	}
	return results, nil
}

// tell writes the page and the table, and returns what is not as it must be.
func (c *command) tell(r runner.Runner, results []result.Result, stdout io.Writer) error {
	machine := table.Machine(r.Name, c.SMTPDelay)
	text := table.Markdown(machine, results)
	index := filepath.Join(c.Results, "index.html")
	err := errors.Join(
		write(filepath.Join(c.Results, "table.md"), text),
		writePage(index, page.Report{Machine: machine, Takes: c.SMTPDelay, Results: results, Scale: c.Scale, Dir: c.Results, At: time.Now()}),
	)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\nThe report is %s.\n", text, index)
	if err := faults(results); err != nil {
		return err
	}
	if !c.full() {
		fmt.Fprintf(stdout, "%s stays as it is: only a full run changes it.\n", c.Readme)
		return nil
	}
	return table.Replace(c.Readme, text)
}

func faults(results []result.Result) error {
	var all []error
	for _, r := range results {
		for _, fault := range r.Faults() {
			all = append(all, fmt.Errorf("%s: %s", r.Scenario.Name, fault))
		}
	}
	return errors.Join(all...)
}

func write(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // a report is to be read by others
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func writePage(path string, r page.Report) error {
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		return err
	}
	return write(path, text.String())
}
