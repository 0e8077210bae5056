package postbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"time"

	"madang/store"
)

// keep accepts a mail. One that cannot be read, or has no name, is refused: it
// could not be counted.
func (p *Postbox) keep(to string, raw []byte) error {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("read a mail: %w", err)
	}
	id := message.Header.Get("Message-Id")
	if id == "" {
		return errors.New("a mail without a Message-ID")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := strings.ToLower(to)
	p.to[key] = append(p.to[key], len(p.letters))
	p.letters = append(p.letters, letter{to: to, raw: raw, at: time.Now()})
	p.ids[id] = true
	return nil
}

var (
	linkInMail = regexp.MustCompile(`https?://\S+/auth/verify\?token=\S+`)
	codeInMail = regexp.MustCompile(`(?m)^\s*(\d{6})\s*$`)
)

// open takes a mail apart. Most are never opened, so this is not done before
// somebody asks.
func (l letter) open(id int64) (store.MailboxMail, error) {
	m := store.MailboxMail{ID: id, To: l.to, At: l.at.UTC()}
	message, err := mail.ReadMessage(bytes.NewReader(l.raw))
	if err != nil {
		return m, fmt.Errorf("open a mail: %w", err)
	}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); err != nil {
		return m, fmt.Errorf("open a mail: %w", err)
	}
	if m.Text, m.HTML, err = bodies(textproto.MIMEHeader(message.Header), message.Body); err != nil {
		return m, fmt.Errorf("open a mail: %w", err)
	}
	m.Link = linkInMail.FindString(m.Text)
	if found := codeInMail.FindStringSubmatch(m.Text); found != nil {
		m.Code = found[1]
	}
	return m, nil
}

// bodies returns what a mail says in plain text and in HTML.
func bodies(header textproto.MIMEHeader, body io.Reader) (text, html string, err error) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return "", "", err
	}
	if !strings.HasPrefix(kind, "multipart/") {
		said, err := io.ReadAll(decoded(header, body))
		if kind == "text/html" {
			return "", string(said), err
		}
		return string(said), "", err
	}
	for parts := multipart.NewReader(body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return text, html, nil
		}
		if err != nil {
			return "", "", err
		}
		t, h, err := bodies(part.Header, part)
		if err != nil {
			return "", "", err
		}
		text, html = text+t, html+h
	}
}

func decoded(header textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	}
	return body
}
