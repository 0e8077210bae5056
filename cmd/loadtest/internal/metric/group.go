package metric

import (
	"crypto/md5" //nolint:gosec // k6 names groups and checks by it; nothing rests on it
	"encoding/hex"
	"sync"
)

// Group is a part of the script with its checks; the root has no name.
type Group struct {
	Name, Path string

	mu     sync.Mutex
	groups []*Group
	checks []*Check
}

// Check is how often a named condition held.
type Check struct {
	Name, Path    string
	Passes, Fails int
}

// ID is what k6 calls a group or a check of that path.
func ID(path string) string {
	sum := md5.Sum([]byte(path)) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

// Group returns the group of that name within g, made on first use.
func (g *Group) Group(name string) *Group {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, sub := range g.groups {
		if sub.Name == name {
			return sub
		}
	}
	sub := &Group{Name: name, Path: g.Path + "::" + name}
	g.groups = append(g.groups, sub)
	return sub
}

// Check counts one outcome of the named condition.
func (g *Group) Check(name string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.check(name)
	if ok {
		c.Passes++
	} else {
		c.Fails++
	}
}

func (g *Group) check(name string) *Check {
	for _, c := range g.checks {
		if c.Name == name {
			return c
		}
	}
	c := &Check{Name: name, Path: g.Path + "::" + name}
	g.checks = append(g.checks, c)
	return c
}

// Groups are the groups within g in the order of their first use.
func (g *Group) Groups() []*Group {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*Group(nil), g.groups...)
}

// Checks are the checks of g in the order of their first use.
func (g *Group) Checks() []Check {
	g.mu.Lock()
	defer g.mu.Unlock()
	checks := make([]Check, len(g.checks))
	for i, c := range g.checks {
		checks[i] = *c
	}
	return checks
}
