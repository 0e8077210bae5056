package jobs

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strings"
	"time"
)

// conversation is one connection; its methods report whether it goes on.
type conversation struct {
	server   *scriptedServer
	conn     net.Conn
	in       *bufio.Reader
	from, to string
	mails    int
}

func (c *conversation) command(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb = strings.ToUpper(verb); verb {
	case "EHLO":
		lines := append([]string{"script.test"}, c.server.extensions...)
		return c.answer(verb, "250-"+strings.Join(lines[:len(lines)-1], "\r\n250-")+"\r\n250 "+lines[len(lines)-1])
	case "MAIL":
		if c.server.most > 0 && c.mails >= c.server.most {
			return c.misbehave(fault{reply: c.server.enough}) && c.server.enough[:3] != "421"
		}
		if c.server.strict && strings.Contains(rest, "> ") {
			return c.say("501 5.5.4 unsupported option")
		}
		c.from = between(rest)
		return c.answer(verb, "250 2.1.0 ok")
	case "RCPT":
		c.to = between(rest)
		return c.answer(verb, "250 2.1.5 ok")
	case "DATA":
		return c.data()
	case "AUTH":
		return c.answer(verb, "235 2.7.0 ok")
	case "QUIT":
		c.answer(verb, "221 2.0.0 bye")
		return false
	case "HELO", "RSET", "NOOP", "STARTTLS":
		return c.answer(verb, "250 2.0.0 ok")
	}
	return c.say("502 5.5.2 not implemented")
}

func between(s string) string {
	_, s, _ = strings.Cut(s, "<")
	s, _, _ = strings.Cut(s, ">")
	return s
}

func (c *conversation) data() bool {
	if f, found := c.server.fault("DATA"); found {
		return c.misbehave(f)
	}
	if !c.say("354 go ahead") {
		return false
	}
	var text bytes.Buffer
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		text.WriteString(strings.TrimPrefix(line, "."))
	}
	c.server.think()
	if f, found := c.server.fault("dot"); found {
		return c.misbehave(f)
	}
	c.mails++
	c.server.keep(received{from: c.from, to: c.to, data: text.Bytes()})
	return c.answer("taken", "250 2.0.0 taken")
}

func (c *conversation) answer(verb, usual string) bool {
	if f, found := c.server.fault(verb); found {
		return c.misbehave(f)
	}
	return c.say(usual)
}

func (c *conversation) misbehave(f fault) bool {
	switch f.reply {
	case drop:
		return false
	case hang:
		_, _ = c.in.ReadByte() // returns when the client has gone
		return false
	case trickle:
		return c.trickle("250 2.0.0 a reply of many words, which takes its time\r\n")
	}
	return c.say(f.reply)
}

// trickle says something very slowly, for as long as the client listens.
func (c *conversation) trickle(text string) bool {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = c.in.ReadByte()
	}()
	for _, b := range []byte(text) {
		if _, err := c.conn.Write([]byte{b}); err != nil {
			return false
		}
		select {
		case <-time.After(time.Second):
		case <-gone:
			return false
		}
	}
	return false
}

func (c *conversation) say(line string) bool {
	_, err := fmt.Fprintf(c.conn, "%s\r\n", line)
	return err == nil
}
