// Command madang runs the community board: it reads the settings, builds the
// parts and stops them in order. It holds no logic of the board itself and may
// import every other package; nothing imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // --timezone works on machines without a time zone database
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Environ(), streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "madang:", oneLine(err))
		os.Exit(1)
	}
}

// streams are the three standard streams of a command. Logs and answers go to
// out; prompts, and what a person should see of a running server, go to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the whole program but for its exit status.
func run(ctx context.Context, args, environ []string, s streams) error {
	command, err := parse(args, environ, s)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	command.BindTo(ctx, (*context.Context)(nil))
	return command.Run(s)
}

func oneLine(err error) string {
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}
