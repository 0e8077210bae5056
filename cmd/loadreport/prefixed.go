package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// prefixed passes on whole lines, each behind the name of its scenario.
type prefixed struct {
	mu   sync.Mutex
	to   io.Writer
	name string
	rest []byte
}

func newPrefixed(to io.Writer, name string) *prefixed {
	return &prefixed{to: to, name: name}
}

// Write implements io.Writer.
func (p *prefixed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, text...)
	for {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		p.rest = rest
		if _, err := fmt.Fprintf(p.to, "%-10s  %s\n", p.name, line); err != nil {
			return 0, err
		}
	}
}
