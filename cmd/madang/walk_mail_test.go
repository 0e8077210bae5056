package main

import (
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// heldPostbox is a mail server that takes no mail until it is opened.
type heldPostbox struct {
	*postbox
	ended  <-chan struct{} // with the test
	opened chan struct{}
	open   func()
}

func newHeldPostbox(t *testing.T) *heldPostbox {
	t.Helper()
	h := &heldPostbox{
		postbox: &postbox{came: make(chan struct{})},
		ended:   t.Context().Done(), opened: make(chan struct{}),
	}
	h.open = sync.OnceFunc(func() { close(h.opened) })
	h.url = serveMail(t, h)
	return h
}

// NewSession implements smtp.Backend.
func (h *heldPostbox) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &heldHandover{handover: handover{box: h.postbox}, held: h}, nil
}

// heldHandover is one connection of a client, who may have to wait.
type heldHandover struct {
	handover
	held *heldPostbox
}

func (h *heldHandover) Data(r io.Reader) error {
	select {
	case <-h.held.opened:
		return h.handover.Data(r)
	case <-h.held.ended:
		return errors.New("the test is over")
	}
}
