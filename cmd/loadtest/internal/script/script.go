package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"

	"madang/cmd/loadtest/internal/metric"
)

// Host is what the run lends to its users.
type Host struct {
	Env      map[string]string // __ENV
	Registry *metric.Registry
	Root     *metric.Group
	Timeline *metric.Timeline
	Samples  *metric.Samples // may be nil
	Log      io.Writer       // console and warnings; may be written to at once
}

// Script is a bundled script, from which every user makes its own instance.
type Script struct {
	Options Options

	host      Host
	dir       string
	program   *goja.Program
	functions map[string]bool
	arrays    sync.Map // name → *sharedArray
	fatal     atomic.Pointer[stop]
	onFatal   context.CancelCauseFunc
	state     State
}

// State is what k6/execution tells of the whole run.
type State struct {
	Started                time.Time
	Active, Initialized    atomic.Int64
	Completed, Interrupted atomic.Int64
}

// stop is the reason to end the whole run.
type stop struct{ err error }

// OutsideError names something of k6 that is not known here.
type OutsideError struct{ Name string }

func (e *OutsideError) Error() string { return e.Name + ": " + Subset }

// ErrAborted is the reason of a run that the script ended by exec.test.abort.
var ErrAborted = errors.New("aborted by the script")

// Load bundles the script, runs it once for its options and metrics, and calls
// onFatal when something ends the whole run.
func Load(path string, host Host, onFatal context.CancelCauseFunc) (*Script, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", path, err)
	}
	text, err := bundle(absolute)
	if err != nil {
		return nil, err
	}
	program, err := goja.Compile(filepath.Base(path), text, false)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", path, err)
	}
	s := &Script{host: host, dir: filepath.Dir(absolute), program: program, functions: map[string]bool{}, onFatal: onFatal}
	return s, s.look()
}

// look runs the script as k6's user 0 to read what it exports.
func (s *Script) look() error {
	u, err := s.NewUser(0)
	if err != nil {
		return err
	}
	for _, name := range u.exports.Keys() {
		_, callable := goja.AssertFunction(u.exports.Get(name))
		s.functions[name] = callable
	}
	text := []byte("{}")
	if o := u.exports.Get("options"); o != nil && !goja.IsUndefined(o) {
		if text, err = u.json(o); err != nil {
			return fmt.Errorf("options: %w", err)
		}
	}
	if s.Options, err = readOptions(text); err != nil {
		return err
	}
	for name, scenario := range s.Options.Scenarios {
		if !s.functions[scenario.Exec] {
			return fmt.Errorf("scenario %s: the script exports no function %s", name, scenario.Exec)
		}
	}
	return nil
}

// Has tells whether the script exports a function of that name.
func (s *Script) Has(name string) bool { return s.functions[name] }

// State is what the run keeps up to date for k6/execution.
func (s *Script) State() *State { return &s.state }

// Fatal is the reason to end the whole run, if there is one.
func (s *Script) Fatal() error {
	if f := s.fatal.Load(); f != nil {
		return f.err
	}
	return nil
}

func (s *Script) end(err error) {
	if s.fatal.CompareAndSwap(nil, &stop{err}) {
		s.onFatal(err)
	}
}

// Setup runs the script's setup and returns its result as JSON.
func (s *Script) Setup(ctx context.Context) (json.RawMessage, error) {
	return s.once(ctx, "setup", time.Duration(*s.Options.SetupTimeout), nil)
}

// Teardown runs the script's teardown with what setup returned.
func (s *Script) Teardown(ctx context.Context, data json.RawMessage) error {
	_, err := s.once(ctx, "teardown", time.Duration(*s.Options.TeardownTimeout), data)
	return err
}

func (s *Script) once(ctx context.Context, name string, timeout time.Duration, data json.RawMessage) (json.RawMessage, error) {
	if !s.Has(name) {
		return nil, nil
	}
	u, err := s.NewUser(0)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	u.tags, u.group = metric.Tags{"group": "::" + name}, s.host.Root.Group(name)
	value, err := u.call(ctx, name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if goja.IsUndefined(value) {
		return nil, nil
	}
	return u.json(value)
}

// Summary calls the script's handleSummary with data, and returns what is to be
// written where: a file, stdout or stderr.
func (s *Script) Summary(ctx context.Context, data json.RawMessage) (map[string][]byte, error) {
	u, err := s.NewUser(0)
	if err != nil {
		return nil, err
	}
	value, err := u.call(ctx, "handleSummary", data)
	if err != nil {
		return nil, fmt.Errorf("handleSummary: %w", err)
	}
	files := map[string][]byte{}
	if goja.IsUndefined(value) || goja.IsNull(value) {
		return files, nil
	}
	o := value.ToObject(u.rt)
	for _, name := range o.Keys() {
		files[name] = bytesOf(o.Get(name))
	}
	return files, nil
}

func bytesOf(v goja.Value) []byte {
	if b, ok := v.Export().(goja.ArrayBuffer); ok {
		return b.Bytes()
	}
	return []byte(v.String())
}
