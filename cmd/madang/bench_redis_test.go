package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// BenchmarkViewsBesideRedis runs the experiment of `madang bench views` beside
// the design that the write-up used, on the same machine in turns: an event is
// a SETNX of its reader and, when that is new, an INCR of the post, sent by 16
// goroutines to a real redis-server. Redis keeps nothing on disk here.
func BenchmarkViewsBesideRedis(b *testing.B) {
	const events, readers, workers = 100_000, 1_000, 16
	redis := startRedis(b)
	b.Setenv("TMPDIR", b.TempDir())
	board := benchViewsCmd{Events: events, Readers: readers, Synchronous: "full"}
	var ours, theirs []float64
	for round := 0; b.Loop(); round++ {
		run, err := board.measure(b.Context(), workers, io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		ours = append(ours, float64(run.PerSecond))
		begun := time.Now()
		if err := redisViews(b.Context(), redis, round, events, readers, workers); err != nil {
			b.Fatal(err)
		}
		theirs = append(theirs, events/time.Since(begun).Seconds())
	}
	b.ReportMetric(median(ours), "madang-events/s")
	b.ReportMetric(median(theirs), "redis-events/s")
	b.ReportMetric(median(ours)/median(theirs), "ratio")
}

// startRedis starts a server that ends with the benchmark.
func startRedis(b *testing.B) (address string) {
	b.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		b.Skip("there is no redis-server on this machine")
	}
	free, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address = free.Addr().String()
	_ = free.Close()
	_, port, _ := net.SplitHostPort(address)
	server := exec.CommandContext(b.Context(), program, "--bind", "127.0.0.1", "--port", port,
		"--save", "", "--appendonly", "no", "--dir", b.TempDir())
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for deadline := time.Now().Add(10 * time.Second); ; {
		line, err := new(net.Dialer).DialContext(b.Context(), "tcp", address)
		if err == nil {
			_ = line.Close()
			return address
		}
		if time.Now().After(deadline) {
			b.Fatal(err)
		}
	}
}

// redisViews counts the events, and fails when Redis counted something else.
func redisViews(ctx context.Context, address string, round, events, readers, workers int) error {
	post := fmt.Sprintf("views:%d", round)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range workers {
		group.Go(func() error {
			r, err := dialRedis(ctx, address)
			if err != nil {
				return err
			}
			defer func() { _ = r.line.Close() }()
			for event := worker; event < events; event += workers {
				if err := r.view(post, event%readers); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r, err := dialRedis(context.WithoutCancel(ctx), address)
	if err != nil {
		return err
	}
	defer func() { _ = r.line.Close() }()
	if counted, err := r.ask("GET", post); err != nil || counted != fmt.Sprint(readers) {
		return fmt.Errorf("redis counted %q, %w", counted, err)
	}
	return nil
}

// redisLine is a connection to Redis.
type redisLine struct {
	line    net.Conn
	answers *bufio.Reader
}

func dialRedis(ctx context.Context, address string) (*redisLine, error) {
	line, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &redisLine{line, bufio.NewReader(line)}, nil
}

func (r *redisLine) view(post string, reader int) error {
	first, err := r.ask("SETNX", fmt.Sprintf("%s:reader:%d", post, reader), "1")
	if err != nil || first != "1" {
		return err
	}
	_, err = r.ask("INCR", post)
	return err
}

// ask sends a command and returns the number or text that it is answered with.
func (r *redisLine) ask(words ...string) (string, error) {
	var command strings.Builder
	fmt.Fprintf(&command, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&command, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(r.line, command.String()); err != nil {
		return "", err
	}
	answer, err := r.answers.ReadString('\n')
	if err != nil {
		return "", err
	}
	answer = strings.TrimSpace(answer)
	if strings.HasPrefix(answer, "-") {
		return "", fmt.Errorf("redis: %s", answer)
	}
	if !strings.HasPrefix(answer, "$") {
		return answer[1:], nil
	}
	text, err := r.answers.ReadString('\n')
	return strings.TrimSpace(text), err
}
