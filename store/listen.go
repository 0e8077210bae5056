package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// post is how the processes of a site wake each other.
type post struct {
	channel string // of the schema they share
	name    string // of this process
}

// channelOf is short whatever the name of the schema: the server refuses to
// tell anything on a channel whose name is as long as a schema's may be.
func channelOf(schema string) string {
	return fmt.Sprintf("madang %x", uint64(advisoryKey([]byte("channel"), []byte(schema)))) //nolint:gosec // the same bits
}

// tellSQL names the process that tells, so that it need not listen to itself.
const tellSQL = `SELECT pg_notify($1, CAST($2 AS TEXT) || ' ' || kind) FROM unnest(CAST($3 AS TEXT[])) AS rung (kind)`

const (
	// listenCheck is how often a silent connection is asked whether it lives.
	listenCheck  = 15 * time.Second
	listenAnswer = 5 * time.Second
	// Between two attempts to connect again.
	listenPause    = 50 * time.Millisecond
	listenPauseMax = 5 * time.Second
)

// ear listens to what the other processes tell, on a connection of its own: in
// a pool somebody else could take what was said. While it hears nothing the
// pools find their jobs by looking from time to time.
type ear struct {
	config *pgx.ConnConfig
	post   post
	bells  *bells
	log    *slog.Logger
}

func newEar(config *pgx.ConnConfig, p post, b *bells, log *slog.Logger) *ear {
	own := config.Copy()
	own.RuntimeParams["application_name"] += " listen"
	return &ear{config: own, post: p, bells: b, log: log}
}

// connect begins to listen.
func (e *ear) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, e.config)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if _, err := conn.Exec(ctx, `LISTEN `+pgx.Identifier{e.post.channel}.Sanitize()); err != nil {
		hangUp(ctx, conn)
		return nil, fmt.Errorf("listen: %w", err)
	}
	return conn, nil
}

func hangUp(ctx context.Context, conn *pgx.Conn) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(closing) // it may be broken already
}

// listen rings the bells until ctx ends, and connects again whenever the
// connection is lost.
func (e *ear) listen(ctx context.Context, conn *pgx.Conn) {
	for conn != nil {
		err := e.hear(ctx, conn)
		hangUp(ctx, conn)
		if ctx.Err() != nil {
			return
		}
		e.log.LogAttrs(ctx, slog.LevelWarn, "not woken by other processes for now", slog.Any("err", err))
		if conn = e.reconnect(ctx); conn != nil {
			e.bells.ringAll() // for what was said while nobody listened
			e.log.LogAttrs(ctx, slog.LevelInfo, "woken by other processes again")
		}
	}
}

// reconnect tries until it succeeds; it returns nil when ctx ends first.
func (e *ear) reconnect(ctx context.Context) *pgx.Conn {
	for pause := listenPause; ; pause = min(2*pause, listenPauseMax) {
		select {
		case <-time.After(pause/2 + rand.N(pause/2)): //nolint:gosec // chance, no secret
		case <-ctx.Done():
			return nil
		}
		if conn, err := e.connect(ctx); err == nil {
			return conn
		}
	}
}

// hear listens for as long as the connection lasts.
func (e *ear) hear(ctx context.Context, conn *pgx.Conn) error {
	for {
		if err := e.next(ctx, conn); err != nil {
			return err
		}
	}
}

// next waits for what is said next, and asks after the connection when that
// takes long.
func (e *ear) next(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, listenCheck)
	defer cancel()
	said, err := conn.WaitForNotification(waiting)
	switch {
	case err == nil:
		e.heed(said.Payload)
		return nil
	case ctx.Err() == nil && errors.Is(waiting.Err(), context.DeadlineExceeded) && !conn.IsClosed():
		asking, cancel := context.WithTimeout(ctx, listenAnswer)
		defer cancel()
		return conn.Ping(asking)
	}
	return err
}

// heed rings the bell that another process means.
func (e *ear) heed(payload string) {
	if from, kind, _ := strings.Cut(payload, " "); from != e.post.name {
		e.bells.ring(kind)
	}
}
