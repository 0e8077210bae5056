package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"madang/jobs"
	"madang/store"
)

// The types below are the kinds of settings. Each reads itself from the text
// of a flag or variable, and its error says what is allowed; it never repeats
// the text of a secret. An empty text is a value only where "none" is one: a
// variable that was left empty by mistake must not choose a default in silence.

// directory is the path of a directory.
type directory string

// UnmarshalText reads the path.
func (d *directory) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("must be the path of a directory, not empty")
	}
	*d = directory(text)
	return nil
}

// database is the path of a SQLite file or the URL of a PostgreSQL database,
// the zero value for the default. It may hold a password.
type database string

// UnmarshalText reads the path or URL.
func (d *database) UnmarshalText(text []byte) error {
	if len(text) == 0 || strings.Contains(string(text), "://") && !store.OnServer(string(text)) {
		return errors.New("must be the path of a SQLite file or postgres://USER:PASSWORD@HOST:5432/NAME")
	}
	if err := store.CheckDatabase(string(text)); err != nil {
		return err
	}
	*d = database(text)
	return nil
}

// secretKey is the secret of the board in hexadecimal digits, the zero value
// for the key file.
type secretKey string

// UnmarshalText reads the digits.
func (k *secretKey) UnmarshalText(text []byte) error {
	if raw, err := hex.DecodeString(string(text)); err != nil || len(raw) != 32 {
		return errors.New("must be 64 hexadecimal digits")
	}
	*k = secretKey(text)
	return nil
}

// workerCount is a number of workers.
type workerCount int

const maxWorkers = 1000

// UnmarshalText reads the number.
func (w *workerCount) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > maxWorkers {
		return fmt.Errorf("must be a whole number from 1 to %d, not %q", maxWorkers, text)
	}
	*w = workerCount(n)
	return nil
}

// pause is a time that is waited.
type pause time.Duration

const longestPause = time.Minute

// UnmarshalText reads a time with its unit.
func (p *pause) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	if err != nil || read < 0 || read > longestPause {
		return fmt.Errorf("must be a time such as 2s, from 0s to %v, not %q", longestPause, text)
	}
	*p = pause(read)
	return nil
}

// proxies are the networks of proxies that are believed.
type proxies []netip.Prefix

// UnmarshalText reads networks and single addresses, separated by commas.
func (p *proxies) UnmarshalText(text []byte) error {
	var read proxies
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		network, err := parseNetwork(part)
		if err != nil {
			return fmt.Errorf("must be networks such as 10.0.0.0/8,::1/128, not %q", part)
		}
		read = append(read, network)
	}
	*p = read
	return nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if strings.Contains(s, "/") {
		network, err := netip.ParsePrefix(s)
		return network.Masked(), err
	}
	address, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return address.Prefix(address.BitLen())
}

// timezone is a time zone by its name.
type timezone struct{ location *time.Location }

// UnmarshalText reads the name.
func (z *timezone) UnmarshalText(text []byte) error {
	location, err := time.LoadLocation(string(text))
	if err != nil || len(text) == 0 || string(text) == "Local" {
		return fmt.Errorf("must be a time zone such as UTC or Asia/Seoul, not %q", text)
	}
	z.location = location
	return nil
}

// sender is the address that mails come from, the zero value for the default.
type sender string

// UnmarshalText reads the address, with or without a name.
func (s *sender) UnmarshalText(text []byte) error {
	if _, err := jobs.ParseFrom(string(text)); err != nil {
		return err
	}
	*s = sender(text)
	return nil
}

// mailServer is the URL of a mail server, empty for the built-in mailbox. It
// may hold a password.
type mailServer string

// UnmarshalText reads the URL.
func (m *mailServer) UnmarshalText(text []byte) error {
	if len(text) > 0 {
		if _, err := jobs.ParseMailServer(string(text)); err != nil {
			return err
		}
	}
	*m = mailServer(text)
	return nil
}

// cronSpec says when something is due: seconds, minutes, hours, days, months
// and days of the week.
type cronSpec string

// UnmarshalText reads the six fields.
func (c *cronSpec) UnmarshalText(text []byte) error {
	if _, err := jobs.ParseCron(string(text)); err != nil {
		return err
	}
	*c = cronSpec(text)
	return nil
}
