// Command loadtest runs a k6 script where k6 itself is not installed: the same
// script, thresholds and summary, over the part of the k6 API that README.md
// lists. It imports nothing of the board.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
