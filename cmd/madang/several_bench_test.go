package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// beReaders is the variable that makes the test binary a process whose readers
// reload a post on the database of MADANG_DATABASE, see [viewLoad]. It names
// the post, the events and the readers.
const beReaders = "TEST_BINARY_IS_READERS"

// readAsProcess says "ready", waits for a line, reads, and says "done".
func readAsProcess() (err error) {
	load := viewLoad{}
	if _, err := fmt.Sscan(os.Getenv(beReaders), &load.post, &load.events, &load.readers); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	load.db, err = store.Open(ctx, store.Options{Database: os.Getenv("MADANG_DATABASE"), Key: store.Key{1}, NoLimits: true})
	if err != nil {
		stop()
		return err
	}
	defer func() { err = errors.Join(err, load.db.Close()) }()
	counting, err := newCounting(load.db, 2, nil)
	if err != nil {
		stop()
		return err
	}
	load.views = counting.views
	ended := counting.start(ctx)
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	if _, _, err := load.run(ctx, io.Discard, ""); err != nil {
		return err
	}
	fmt.Println("done")
	return nil
}

// readerProcess is such a process.
type readerProcess struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	said *bufio.Scanner
}

func startReaders(b *testing.B, database string, post, events, readers int64, cores int) *readerProcess {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	p := &readerProcess{cmd: exec.CommandContext(b.Context(), self)}
	p.cmd.Env = []string{
		fmt.Sprintf("%s=%d %d %d", beReaders, post, events, readers), "MADANG_DATABASE=" + database, "GOMAXPROCS=" + strconv.Itoa(cores),
	}
	p.cmd.Stderr = os.Stderr
	p.in, err = p.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p.said = bufio.NewScanner(out)
	p.await(b, "ready")
	return p
}

func (p *readerProcess) await(b *testing.B, word string) {
	b.Helper()
	if !p.said.Scan() || p.said.Text() != word {
		b.Fatalf("it said %q instead of %q", p.said.Text(), word)
	}
}

// BenchmarkSeveralCountViews compares one process with two on the same
// database. As many readers reload as many times; two processes share them out.
// The server does not wait for its disk, as in all tests.
func BenchmarkSeveralCountViews(b *testing.B) {
	server := storetest.PostgresOnce(b)
	for _, cores := range []int{1, 2} {
		for _, processes := range []int64{1, 2} {
			b.Run(fmt.Sprintf("cores=%d/processes=%d", cores, processes), func(b *testing.B) {
				var sum together
				for range b.N {
					one := readTogether(b, server.Database(b), processes, cores)
					sum.took, sum.cpu = sum.took+one.took, sum.cpu+one.cpu
				}
				views := benchEvents * float64(b.N)
				b.ReportMetric(views/sum.took.Seconds(), "views/s")
				b.ReportMetric(sum.cpu.Seconds()*1e6/views, "cpu-us/view") // of the processes, without the server
			})
		}
	}
}

// So many readers that none of the processes ever waits for one.
const (
	benchEvents  = 200_000
	benchReaders = 4000
)

// together is how long processes took from the first event until the last was
// counted, and of the cores they had.
type together struct{ took, cpu time.Duration }

// readTogether lets processes read and looks whether they were counted right.
func readTogether(b *testing.B, database string, processes int64, cores int) together {
	b.Helper()
	post := benchPost(b, database)
	all := make([]*readerProcess, processes)
	for i := range all {
		all[i] = startReaders(b, database, post, benchEvents/processes, benchReaders/processes, cores)
	}
	begun := time.Now()
	for _, p := range all {
		if _, err := fmt.Fprintln(p.in, "go"); err != nil {
			b.Fatal(err)
		}
	}
	for _, p := range all {
		p.await(b, "done")
	}
	sum := together{took: time.Since(begun)}
	for _, p := range all {
		if err := p.cmd.Wait(); err != nil {
			b.Fatal(err)
		}
		sum.cpu += p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	}
	want := strconv.Itoa(int(benchReaders / processes)) // the same people come to each
	if got := storetest.Rows(b, database, `SELECT SUM(views) FROM posts`)[0][0]; got != want {
		b.Fatalf("%s views were counted, want %s", got, want)
	}
	return sum
}

// benchPost makes a post to read.
func benchPost(b *testing.B, database string) int64 {
	b.Helper()
	db := storetest.Open(b, store.Options{Database: database, Key: store.Key{1}, NoLimits: true})
	post := storetest.Post(b, db, storetest.Member(b, db))
	storetest.Rows(b, database, `DELETE FROM jobs RETURNING id`)
	return post
}
