package main

import (
	"context"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// postbox is a mail server that keeps what it is handed.
type postbox struct {
	url   string
	takes time.Duration // how long it thinks about each mail

	mu    sync.Mutex
	mails []letter
	came  chan struct{} // closed and renewed at each mail
}

// letter is a mail that was taken.
type letter struct {
	to, text string
}

var (
	linkInMail = regexp.MustCompile(`http://\S+/auth/(?:verify|reset|email)\?token=\S+`)
	codeInMail = regexp.MustCompile(`(?m)(?:^|\D)(\d{6})(?:\D|$)`)
)

func (l letter) link() string { return linkInMail.FindString(l.text) }

func (l letter) code() string {
	text := strings.ReplaceAll(linkInMail.ReplaceAllString(l.text, ""), "\u00a0", " ")
	if found := codeInMail.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// newPostbox starts a mail server that takes so long for each mail.
func newPostbox(t *testing.T, takes time.Duration) *postbox {
	t.Helper()
	p := &postbox{takes: takes, came: make(chan struct{})}
	p.url = serveMail(t, p)
	return p
}

// serveMail speaks SMTP for a postbox until the test ends and returns the
// address of the server.
func serveMail(t *testing.T, backend smtp.Backend) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(backend)
	server.Domain = "localhost"
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-ended
	})
	return "smtp://" + listener.Addr().String() + "?tls=none"
}

// NewSession implements smtp.Backend.
func (p *postbox) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &handover{box: p}, nil
}

// handover is one connection of a client.
type handover struct {
	box *postbox
	to  string
}

func (h *handover) Mail(string, *smtp.MailOptions) error      { return nil }
func (h *handover) Rcpt(to string, _ *smtp.RcptOptions) error { h.to = to; return nil }
func (h *handover) Reset()                                    { h.to = "" }
func (h *handover) Logout() error                             { return nil }

func (h *handover) Data(r io.Reader) error {
	text, err := plainText(r)
	if err != nil {
		return err
	}
	<-time.After(h.box.takes)
	h.box.keep(letter{to: h.to, text: text})
	return nil
}

func (p *postbox) keep(l letter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mails = append(p.mails, l)
	close(p.came)
	p.came = make(chan struct{})
}

// to returns the mails to an address so far, and what is closed when the next
// mail to anybody comes.
func (p *postbox) to(address string) ([]letter, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []letter
	for _, l := range p.mails {
		if l.to == address {
			found = append(found, l)
		}
	}
	return found, p.came
}

// wait returns the first mail to an address once it is there.
func (p *postbox) wait(t *testing.T, address string) letter {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		found, next := p.to(address)
		if len(found) > 0 {
			return found[0]
		}
		select {
		case <-next:
		case <-ctx.Done():
			t.Fatalf("no mail to %s", address)
		}
	}
}

// plainText returns the plain part of a mail.
func plainText(r io.Reader) (string, error) {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return "", err
	}
	_, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return "", err
	}
	part, err := multipart.NewReader(message.Body, params["boundary"]).NextRawPart()
	if err != nil {
		return "", err
	}
	var body io.Reader = part
	if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(part)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}
