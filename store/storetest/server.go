package storetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL server of this test binary alone. It ends with the
// binary, however that ends, and leaves nothing behind.
type Server struct {
	dir       string
	port, pid int
	words     io.Writer // to its keeper
	answers   io.Reader

	template sync.Once
	mu       sync.Mutex
	free     []string // databases that a test has left empty
}

// startOnce starts the server of the binary when a test asks for it first.
var startOnce = sync.OnceValues(startServer)

// errNoPostgres says that there is nothing to start.
var errNoPostgres = errors.New("PostgreSQL is not installed (Debian package postgresql): no initdb in PATH or /usr/lib/postgresql")

// Postgres returns the server of this test binary. Where PostgreSQL is not
// installed the test is skipped, in CI it fails.
func Postgres(t testing.TB) *Server {
	t.Helper()
	s, err := startOnce()
	switch {
	case errors.Is(err, errNoPostgres) && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatalf("start PostgreSQL: %v", err)
	}
	return s
}

// URL returns the address of a database on the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres:%s@127.0.0.1:%d/%s?sslmode=disable", ServerPassword, s.port, database)
}

// Host is where the server listens.
func (s *Server) Host() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// ServerPassword is in every URL of the server; it must never be seen elsewhere.
const ServerPassword = "server-pass-5e1f"

// startServer makes a cluster of its own and starts it. What a server promises
// about a loss of power is not tested, so it does not wait for the disk.
func startServer() (*Server, error) {
	initdb, postgres, err := programs()
	if err != nil {
		return nil, err
	}
	owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "madang-postgres-"); err != nil {
		return nil, err
	}
	err = s.initialise(initdb, owner)
	if err == nil {
		err = s.keep(postgres, owner)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	return s, s.start()
}

// programs finds the newest server.
func programs() (initdb, postgres string, err error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return path, filepath.Join(filepath.Dir(path), "postgres"), nil
	}
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(installed) == 0 {
		return "", "", errNoPostgres
	}
	path := slices.MaxFunc(installed, func(a, b string) int { return version(a) - version(b) })
	return path, filepath.Join(filepath.Dir(path), "postgres"), nil
}

func version(initdb string) int {
	n, _ := strconv.Atoi(strings.Split(initdb, "/")[4])
	return n
}

// unprivileged is whom the server runs as: it refuses to be root. Nil: as
// whoever runs the tests.
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil //nolint:nilnil // says that there is none
	}
	found, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("root needs a user for the server: %w", err)
	}
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(found.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func (s *Server) initialise(initdb string, owner *syscall.Credential) error {
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(ServerPassword), 0o644); err != nil { //nolint:gosec // for the tests alone
		return err
	}
	if owner != nil {
		if err := os.Chown(s.dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	initialise := exec.CommandContext(context.Background(), initdb, "--pgdata", s.data(), "--username", "postgres", "--pwfile", password, //nolint:gosec // the program found above
		"--auth", "password", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	initialise.Dir, initialise.SysProcAttr = s.dir, &syscall.SysProcAttr{Credential: owner}
	if said, err := initialise.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, said)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// keeper starts and stops the server as it is told. When nobody can tell it
// anything any more, because this process has ended, it ends the server and
// removes the directory.
const keeper = `trap '' INT TERM HUP
dir=$1; shift; pid=
while read -r word port; do
	case $word in
	start) "$@" -p "$port" >>"$dir/log" 2>&1 </dev/null & pid=$!; echo $pid ;;
	stop) kill -INT $pid; wait $pid; echo 0 ;;
	crash) kill -QUIT $pid; wait $pid; echo 0 ;;
	esac
done
[ -z "$pid" ] || kill -QUIT $pid 2>/dev/null
wait
rm -rf "$dir"`

// keep starts the keeper.
func (s *Server) keep(postgres string, owner *syscall.Credential) error {
	kept := exec.CommandContext(context.Background(), "/bin/sh", "-c", keeper, "keeper", s.dir, postgres, "-D", s.data(), //nolint:gosec // our own words
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.dir,
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=300", "-c", "shared_buffers=64MB",
		"-c", "autovacuum_naptime=10s", "-c", "log_min_messages=error")
	// A group of its own: an interrupt at the terminal is for the tests.
	kept.Dir, kept.SysProcAttr = s.dir, &syscall.SysProcAttr{Credential: owner, Setpgid: true}
	words, err := kept.StdinPipe()
	if err != nil {
		return err
	}
	answers, err := kept.StdoutPipe()
	if err != nil {
		return err
	}
	s.words, s.answers = words, bufio.NewReader(answers)
	return kept.Start()
}

// tell gives the keeper a word and returns its answer, the number of the
// process that runs now.
func (s *Server) tell(word string) (pid int, err error) {
	if _, err := fmt.Fprintln(s.words, word); err != nil {
		return 0, fmt.Errorf("the keeper of the server: %w", err)
	}
	if _, err := fmt.Fscanln(s.answers, &pid); err != nil {
		return 0, fmt.Errorf("the keeper of the server: %w", err)
	}
	return pid, nil
}

// start starts the server on a port of its own, which it keeps when it is
// started again, and returns when it answers.
func (s *Server) start() (err error) {
	for range 5 { // somebody else may take a free port meanwhile
		if s.port == 0 {
			if s.port, err = freePort(); err != nil {
				return err
			}
		}
		if s.pid, err = s.tell("start " + strconv.Itoa(s.port)); err != nil {
			return err
		}
		if err = s.await(); err == nil {
			return nil
		}
		s.port = 0
	}
	return err
}

// Stop stops the server in order, as for an update; Crash, as when it is killed.
// Start starts it again at the same address. All other tests of the binary lose
// their connections too.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if _, err := s.tell("stop"); err != nil {
		t.Fatal(err)
	}
}

// Crash ends the server at once.
func (s *Server) Crash(t testing.TB) {
	t.Helper()
	if _, err := s.tell("crash"); err != nil {
		t.Fatal(err)
	}
}

// Start starts the server after Stop or Crash.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// freePort is a port that nobody uses at this moment.
func freePort() (int, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address, _ := l.Addr().(*net.TCPAddr)
	return address.Port, l.Close()
}

// await waits until the server answers.
func (s *Server) await() error {
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err = s.exec(ctx, "postgres", `SELECT 1`)
		cancel()
		if err == nil {
			return nil
		}
		if syscall.Kill(s.pid, 0) != nil {
			break
		}
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return fmt.Errorf("the server does not answer: %w\n%s", err, log)
}

// exec runs statements on a connection of their own.
func (s *Server) exec(ctx context.Context, database, statement string) error {
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}
