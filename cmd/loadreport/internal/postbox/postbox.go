// Package postbox is the mail server of a measurement: it takes its time for
// each mail, counts what it accepts, and lets scripts read it. It imports
// structs of store.
package postbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// Postbox is a mail server on a port of its own.
type Postbox struct {
	// SMTP and Mailbox are where the board sends to and the scripts read from.
	SMTP, Mailbox string

	takes   time.Duration
	mail    *smtp.Server
	http    *http.Server
	closing chan struct{}
	ended   sync.WaitGroup

	mu      sync.Mutex
	letters []letter
	to      map[string][]int // letters of each recipient
	ids     map[string]bool  // every Message-ID
}

// letter is a mail as it was accepted.
type letter struct {
	to  string
	raw []byte
	at  time.Time
}

// New starts a mail server that thinks for so long about each mail before it
// accepts it.
func New(ctx context.Context, takes time.Duration) (*Postbox, error) {
	if takes < 0 {
		return nil, errors.New("a mail server takes no time less than none")
	}
	p := &Postbox{takes: takes, closing: make(chan struct{}), to: map[string][]int{}, ids: map[string]bool{}}
	mail, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the mail server: %w", err)
	}
	pages, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the mailbox: %w", err), mail.Close())
	}
	p.SMTP = "smtp://" + mail.Addr().String() + "?tls=none"
	p.Mailbox = "http://" + pages.Addr().String() + "/mail"
	p.serve(mail, pages)
	return p, nil
}

func (p *Postbox) serve(mail, pages net.Listener) {
	p.mail = smtp.NewServer(p)
	p.mail.Domain = "localhost"
	p.mail.ErrorLog = log.New(io.Discard, "", 0) // the board says itself what was cut off
	p.http = &http.Server{Handler: http.HandlerFunc(p.list), ReadHeaderTimeout: 5 * time.Second}
	p.ended.Go(func() { _ = p.mail.Serve(mail) })
	p.ended.Go(func() { _ = p.http.Serve(pages) })
}

// Close ends the servers; mails that are thought about are not accepted.
func (p *Postbox) Close() error {
	close(p.closing)
	err := errors.Join(p.mail.Close(), p.http.Close())
	p.ended.Wait()
	if err != nil {
		return fmt.Errorf("close the mail server: %w", err)
	}
	return nil
}

// Count says how many mails were accepted, and how many of them had a
// Message-ID that had been accepted before.
func (p *Postbox) Count() (accepted, twice int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.letters), len(p.letters) - len(p.ids)
}

// NewSession implements smtp.Backend.
func (p *Postbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &handover{box: p}, nil }

// handover is one connection of a client.
type handover struct {
	box *Postbox
	to  string
}

// Mail implements smtp.Session.
func (h *handover) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt implements smtp.Session.
func (h *handover) Rcpt(to string, _ *smtp.RcptOptions) error { h.to = to; return nil }

// Reset implements smtp.Session.
func (h *handover) Reset() { h.to = "" }

// Logout implements smtp.Session.
func (h *handover) Logout() error { return nil }

// Data thinks about a mail and then accepts it.
func (h *handover) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	timer := time.NewTimer(h.box.takes)
	defer timer.Stop()
	select {
	case <-timer.C:
		return h.box.keep(h.to, raw)
	case <-h.box.closing:
		return errors.New("the mail server is closing")
	}
}
