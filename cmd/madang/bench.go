package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"madang/store"
)

// benchCmd groups the two experiments that the board started from.
type benchCmd struct {
	Views  benchViewsCmd  `cmd:"" help:"Count the views of readers who reload all at once, with pools of several sizes."`
	Signup benchSignupCmd `cmd:"" help:"Compare a sign-up that sends its mail in the request with one that leaves it to the outbox."`
}

// counts are whole numbers of one or more, separated by commas.
type counts []int

// UnmarshalText reads the numbers.
func (c *counts) UnmarshalText(text []byte) error {
	var read counts
	for word := range strings.SplitSeq(string(text), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > maxWorkers {
			return fmt.Errorf("must be whole numbers from 1 to %d such as 8,16,32, not %q", maxWorkers, text)
		}
		read = append(read, n)
	}
	*c = read
	return nil
}

// amount is a whole number of one or more.
type amount int

const maxAmount = 100_000_000

// UnmarshalText reads the number.
func (a *amount) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > maxAmount {
		return fmt.Errorf("must be a whole number from 1 to %d, not %q", maxAmount, text)
	}
	*a = amount(n)
	return nil
}

// kind says on which of the two databases to measure.
type kind struct {
	Database database `secret:"" placeholder:"URL" help:"PostgreSQL database in which a schema is made for the measurement and dropped again. With the path of a SQLite file, or nothing, the measurement makes a file of its own."`
}

// throwaway is a board's database that goes away with the measurement: a file in
// the directory for temporary files, whose disk is thereby measured too, or a
// schema on a server.
type throwaway struct {
	*store.Store
	address string
	remove  func() error
}

func newThrowaway(ctx context.Context, k kind, o store.Options) (*throwaway, error) {
	address, remove, err := k.place(ctx)
	if err != nil {
		return nil, fmt.Errorf("throw-away database: %w", err)
	}
	_, _ = rand.Read(o.Key[:]) // never fails
	o.Database, o.NoLimits = address, true
	opened, err := store.Open(ctx, o)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return &throwaway{opened, address, remove}, nil
}

// place makes room for a database.
func (k kind) place(ctx context.Context) (address string, remove func() error, err error) {
	if store.OnServer(string(k.Database)) {
		address, drop, err := store.NewSchema(ctx, string(k.Database))
		// It goes also when the measurement was interrupted.
		return address, func() error { return drop(context.WithoutCancel(ctx)) }, err
	}
	dir, err := os.MkdirTemp("", "madang-bench-")
	return filepath.Join(dir, store.FileName), func() error { return os.RemoveAll(dir) }, err
}

// name names the kind of database in what is printed.
func (k kind) name() string {
	if store.OnServer(string(k.Database)) {
		return "PostgreSQL"
	}
	return "SQLite"
}

// Close closes the database and deletes it.
func (t *throwaway) Close() error {
	return errors.Join(t.Store.Close(), t.remove())
}

// post makes a member and a post to read.
func (t *throwaway) post(ctx context.Context) (int64, error) {
	author, err := t.CreateAdmin(ctx, store.NewAdmin{
		Email: "bench@example.com", Name: "Bench", Nickname: "bench", Password: rand.Text(),
	})
	if err != nil {
		return 0, err
	}
	return t.CreatePost(ctx, author, store.NewPost{Title: "Bench", Body: "Read *me*.", FormID: rand.Text()})
}

// syncTime is how long the disk under the directory for temporary files takes
// to make a small write safe: the median of some.
func syncTime() (time.Duration, error) {
	f, err := os.CreateTemp("", "madang-bench-")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // nothing to be done about it
	var took []time.Duration
	page := make([]byte, 4096)
	for i := range 32 {
		begun := time.Now()
		_, err := f.WriteAt(page, int64(i*len(page)))
		if err := errors.Join(err, f.Sync()); err != nil {
			return 0, errors.Join(err, f.Close())
		}
		took = append(took, time.Since(begun))
	}
	return median(took), f.Close()
}

// printJSON writes a value on a line of its own.
func printJSON(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", line)
	return err
}

// median is the middle one of some values.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// joined lists numbers in a cell of a table.
func joined(numbers []int64) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, ", ")
}
