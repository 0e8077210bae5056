// Command loadreport measures the board with the scripts in k6/ and tells the
// result as one HTML page and as a table for README.md. Each scenario has a
// fresh board, and a mail server that takes its time.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
