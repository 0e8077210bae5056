package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
)

func (s *sink) converse(ctx context.Context, conn net.Conn) {
	c := &conversation{sink: s, conn: conn, in: bufio.NewReader(conn)}
	defer func() { _ = c.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	s.mu.Lock()
	s.talks++
	c.talk = s.talks
	s.mu.Unlock()
	ok := c.answer(banner, "220 sink.test ESMTP")
	for ok {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return
		}
		ok = c.command(strings.TrimRight(line, "\r\n"))
	}
}

// conversation is one connection; its methods report whether it goes on.
type conversation struct {
	sink *sink
	conn net.Conn
	in   *bufio.Reader
	talk int
	to   string
}

func (c *conversation) command(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb = strings.ToUpper(verb); verb {
	case "EHLO":
		return c.answer(verb, strings.Join(append([]string{"250-sink.test"}, c.sink.offers...), "\r\n250-")+"\r\n250 8BITMIME")
	case "MAIL":
		c.to = ""
	case "RCPT":
		_, address, _ := strings.Cut(rest, "<")
		c.to, _, _ = strings.Cut(address, ">")
	case "STARTTLS":
		return c.answer(verb, "220 go ahead") && c.encrypt()
	case "AUTH":
		return c.answer(verb, "235 welcome")
	case "DATA":
		return c.data()
	case "QUIT":
		c.answer(verb, "221 bye")
		return false
	}
	return c.answer(verb, "250 ok")
}

func (c *conversation) encrypt() bool {
	secret := tls.Server(c.conn, c.sink.tls)
	c.conn, c.in = secret, bufio.NewReader(secret)
	return secret.HandshakeContext(context.Background()) == nil
}

func (c *conversation) data() bool {
	if !c.answer("DATA", "354 go ahead") {
		return false
	}
	var mail bytes.Buffer
	for {
		line, err := c.in.ReadString('\n')
		if err != nil || mail.Len() == 0 && !c.pass(begun) {
			return false
		}
		if line == ".\r\n" {
			break
		}
		mail.WriteString(strings.TrimPrefix(line, "."))
	}
	if reply, goesOn := c.decide(dot); reply != usual {
		return goesOn && c.say(reply)
	}
	c.sink.keep(c.to, mail.Bytes())
	return c.answer(kept, "250 taken") && c.pass(taken)
}

// pass asks the script at a moment when the server has nothing to say.
func (c *conversation) pass(at string) bool {
	_, goesOn := c.decide(at)
	return goesOn
}

func (c *conversation) answer(at, usually string) bool {
	reply, goesOn := c.decide(at)
	if reply == usual {
		reply = usually
	}
	return goesOn && c.say(reply)
}

// decide asks the script and does what needs no words.
func (c *conversation) decide(at string) (reply string, goesOn bool) {
	c.sink.mu.Lock()
	c.sink.heard[at]++
	does := c.sink.does
	c.sink.mu.Unlock()
	switch reply = does(moment{verb: at, to: c.to, talk: c.talk}); reply {
	case hang:
		_, _ = io.Copy(io.Discard, c.in) // until the client has gone
		return reply, false
	case drop:
		return reply, false
	}
	return reply, true
}

func (c *conversation) say(line string) bool {
	_, err := fmt.Fprintf(c.conn, "%s\r\n", line)
	return err == nil
}
