package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// call runs an exported function with data parsed from JSON.
func (u *User) call(ctx context.Context, name string, data json.RawMessage) (goja.Value, error) {
	f, ok := goja.AssertFunction(u.exports.Get(name))
	if !ok {
		return nil, fmt.Errorf("the script exports no function %s", name)
	}
	argument, err := u.argument(data)
	if err != nil {
		return nil, err
	}
	u.ctx = ctx
	defer u.interrupt(ctx)()
	value, err := f(goja.Undefined(), argument)
	if err != nil {
		return nil, u.cause(err)
	}
	return u.settled(value)
}

// argument is parsed once for each user, as in k6.
func (u *User) argument(data json.RawMessage) (goja.Value, error) {
	if data == nil {
		return goja.Undefined(), nil
	}
	if u.data == nil {
		value, err := u.parse(string(data))
		if err != nil {
			return nil, err
		}
		u.data = value
	}
	return u.data, nil
}

// interrupt stops the runtime when ctx ends, until the returned function is
// called; after that nothing late can reach the next iteration.
func (u *User) interrupt(ctx context.Context) func() {
	u.rt.ClearInterrupt()
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		u.rt.Interrupt(context.Cause(ctx))
		close(done)
	})
	return func() {
		if !stop() {
			<-done
			u.rt.ClearInterrupt()
		}
	}
}

// settled unwraps the promise of an async function.
func (u *User) settled(value goja.Value) (goja.Value, error) {
	promise, ok := value.Export().(*goja.Promise)
	if !ok {
		return value, nil
	}
	switch promise.State() {
	case goja.PromiseStateRejected:
		return nil, errors.New(describe(promise.Result()))
	case goja.PromiseStatePending:
		err := &OutsideError{"a promise that waits for something to happen later"}
		u.script.end(err)
		return nil, err
	default:
		return promise.Result(), nil
	}
}

func describe(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok || o.Get("stack") == nil {
		return v.String()
	}
	stack := strings.Split(strings.TrimSpace(o.Get("stack").String()), "\n")
	return strings.Join(strings.Fields(strings.Join(stack[:min(len(stack), 2)], " ")), " ")
}

// cause is the error to report for one that goja returned.
func (u *User) cause(err error) error {
	if fatal := u.script.Fatal(); fatal != nil {
		return fatal
	}
	if interrupted, ok := errors.AsType[*goja.InterruptedError](err); ok {
		if cause, ok := interrupted.Value().(error); ok {
			return cause
		}
	}
	if exception, ok := errors.AsType[*goja.Exception](err); ok {
		return errors.New(located(exception))
	}
	return err
}

// located is what was thrown, and where in the script.
func located(e *goja.Exception) string {
	said := strings.TrimPrefix(e.Value().String(), "GoError: ")
	for _, frame := range e.Stack() {
		if at := frame.Position(); frame.SrcName() != "<native>" && at.Line > 0 {
			return fmt.Sprintf("%s (%s:%d:%d)", said, filepath.Base(at.Filename), at.Line, at.Column)
		}
	}
	return said
}

func (u *User) wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// outside ends the whole run, naming what is not known.
func (u *User) outside(name string) goja.Value {
	err := &OutsideError{name}
	u.script.end(err)
	panic(u.rt.NewGoError(err))
}

// throw raises an exception that the script may catch.
func (u *User) throw(format string, a ...any) {
	panic(u.rt.NewGoError(fmt.Errorf(format, a...)))
}
