package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"madang/cmd/loadreport/internal/scenario"
)

// command is what can be asked for. The paths are those of the checkout, which
// is where it is to be started.
type command struct {
	Only      []string      `placeholder:"NAME,…" help:"Measure these scenarios alone: functional, load, stress, spike, journey, views, big. Default: all but big."`
	Scale     float64       `default:"1" help:"Multiply the length of every load by this. Anything but 1 is a rehearsal: README.md stays as it is."`
	SMTPDelay time.Duration `name:"smtp-delay" default:"3.5s" placeholder:"TIME" help:"How long the mail server takes for a mail."`
	Scripts   string        `default:"k6" placeholder:"DIR" help:"Where the scripts are."`
	Results   string        `default:"k6/results" placeholder:"DIR" help:"Where the report goes; index.html is the page to open."`
	Readme    string        `default:"README.md" placeholder:"FILE" help:"File whose table is brought up to date by a full run in which nothing is wrong."`
	Madang    string        `default:"bin/madang" placeholder:"FILE" help:"The board. Its data lies beside it, so that the disk of that directory is measured."`
	Loadtest  string        `default:"bin/loadtest" placeholder:"FILE" help:"The runner where there is no k6."`
}

// The exit statuses.
const (
	statusFault   = 1 // something is not as it must be, or could not be measured
	statusUsage   = 2
	statusStopped = 130
)

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cmd command
	parser, err := kong.New(&cmd, kong.Name("loadreport"), kong.Writers(stdout, stderr),
		kong.Description("Measure the board with the scripts in k6/."))
	if err == nil {
		_, err = parser.Parse(args)
	}
	if err == nil {
		err = cmd.check()
	}
	if err != nil {
		fmt.Fprintf(stderr, "loadreport: %v\n", err)
		return statusUsage
	}
	switch err := cmd.run(ctx, stdout, stderr); {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "loadreport: stopped, and everything it had started")
		return statusStopped
	case err != nil:
		for line := range strings.Lines(err.Error() + "\n") {
			fmt.Fprintf(stderr, "loadreport: %s", line)
		}
		return statusFault
	}
	return 0
}

// check finds before anything is started what would end it later.
func (c *command) check() error {
	if c.Scale <= 0 {
		return errors.New("--scale must be above 0")
	}
	if c.SMTPDelay < 0 {
		return errors.New("--smtp-delay must be a length of time such as 3.5s")
	}
	for _, name := range c.Only {
		if !slices.Contains(scenario.Names(), name) {
			return fmt.Errorf("--only: there is no scenario %q; there are %s", name, strings.Join(scenario.Names(), ", "))
		}
	}
	needed := []string{c.Madang}
	for _, s := range scenario.Choose(c.Only) {
		needed = append(needed, c.script(s))
	}
	for _, path := range needed {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("%w; it is to be started by make load, in the checkout", err)
		}
	}
	return nil
}

func (c *command) script(s scenario.Scenario) string {
	return filepath.Join(c.Scripts, s.Name+".js")
}

// full reports whether the result may stand in README.md.
func (c *command) full() bool { return len(c.Only) == 0 && c.Scale == 1 }
