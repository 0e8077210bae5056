package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	secretA = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	secretB = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"
)

// parsed reads a command line of serve and fails when it is refused.
func parsed(t *testing.T, args, environ []string) *serveCmd {
	t.Helper()
	command, err := parse(append([]string{"serve"}, args...), environ, streams{})
	if err != nil {
		t.Fatalf("serve %q with %q: %v", args, environ, err)
	}
	return &command.Model.Target.Addr().Interface().(*commands).Serve
}

func TestDefaults(t *testing.T) {
	c := parsed(t, nil, []string{"HOME=/root", "PATH=/bin"})
	if got := c.Addr.String(); got != "localhost:8080" {
		t.Errorf("addr is %q", got)
	}
	if c.MailWorkers != 5 || c.ViewWorkers != 2 || c.HashSlots < 1 {
		t.Errorf("workers: mail %d, views %d, hash slots %d", c.MailWorkers, c.ViewWorkers, c.HashSlots)
	}
	if c.RateLimits != "on" || c.Timezone.location.String() != "UTC" || c.CleanupAt != "0 0 3 * * *" {
		t.Errorf("limits %q, zone %v, cleanup at %q", c.RateLimits, c.Timezone.location, c.CleanupAt)
	}
	if got := c.address(); got != "data/madang.db" {
		t.Errorf("database is %q", got)
	}
}

func TestFlagBeatsVariableBeatsDefault(t *testing.T) {
	environ := []string{"MADANG_MAIL_WORKERS=7", "MADANG_VIEW_WORKERS=8"}
	c := parsed(t, []string{"--view-workers", "9"}, environ)
	if c.MailWorkers != 7 || c.ViewWorkers != 9 {
		t.Errorf("mail workers %d, view workers %d; want 7, 9", c.MailWorkers, c.ViewWorkers)
	}
}

func TestVariablesThatAreNotOurs(t *testing.T) {
	parsed(t, nil, []string{"MADANG_PORT=tcp://10.0.0.1:80", "MADANG_PORT_80_TCP=x", "MADANG_SERVICE_HOST=10.0.0.1", "OTHER=1"})
}

func TestSecretsComeFromFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := parsed(t, nil, []string{
		"MADANG_SECRET_FILE=" + file("secret", secretA+"\n"),
		"MADANG_DATABASE_FILE=" + file("database", "/srv/board.db\r\n"),
		"MADANG_SMTP_URL_FILE=" + file("smtp", "smtps://me:pass@mail.example.org\n"),
	})
	if c.Secret != secretA || c.address() != "/srv/board.db" {
		t.Errorf("secret %q, database %q", c.Secret, c.address())
	}
	if c.SMTPURL != "smtps://me:pass@mail.example.org" {
		t.Errorf("mail server %q", c.SMTPURL)
	}
}

func TestBadSettings(t *testing.T) {
	tests := []struct {
		name    string
		args    []string
		environ []string
		want    []string // words of the line
	}{
		{"unknown flag", []string{"--adr", "x"}, nil, []string{"--adr", "--addr", "--base-url"}},
		{"unknown variable", nil, []string{"MADANG_ADDRESS=x"}, []string{"MADANG_ADDRESS", "MADANG_ADDR,"}},
		{"file of no secret", nil, []string{"MADANG_ADDR_FILE=x"}, []string{"MADANG_ADDR_FILE", "MADANG_SECRET_FILE"}},
		{"flag without value", []string{"--addr"}, nil, []string{"--addr", "value"}},
		{"argument", []string{"now"}, nil, []string{"now"}},
		{"address without port", []string{"--addr", "localhost"}, nil, []string{"--addr", "MADANG_ADDR", "HOST:PORT"}},
		{"address with name of port", []string{"--addr", "localhost:http"}, nil, []string{"--addr", "HOST:PORT"}},
		{"port too large", []string{"--addr", "localhost:65536"}, nil, []string{"--addr", "HOST:PORT"}},
		{"host with spaces", []string{"--addr", "local host:1"}, nil, []string{"--addr", "HOST:PORT"}},
		{"empty address", nil, []string{"MADANG_ADDR="}, []string{"MADANG_ADDR", "HOST:PORT"}},
		{"base URL without scheme", []string{"--base-url", "example.org"}, nil, []string{"--base-url", "https://"}},
		{"base URL of another scheme", []string{"--base-url", "ftp://example.org"}, nil, []string{"--base-url", "https://"}},
		{"base URL without host", []string{"--base-url", "http:///board"}, nil, []string{"--base-url", "host"}},
		{"base URL with query", []string{"--base-url", "http://example.org/?a"}, nil, []string{"--base-url"}},
		{"base URL with fragment", []string{"--base-url", "http://example.org/#a"}, nil, []string{"--base-url"}},
		{"base URL with user", []string{"--base-url", "http://me@example.org/"}, nil, []string{"--base-url"}},
		{"base URL with dots", []string{"--base-url", "http://example.org/a/../b"}, nil, []string{"--base-url"}},
		{"base URL with escapes", []string{"--base-url", "http://example.org/%2e"}, nil, []string{"--base-url"}},
		{"base URL with an escaped slash", []string{"--base-url", "http://example.org/a%2fb"}, nil, []string{"--base-url", "plain letters"}},
		{"base URL with an escaped letter", []string{"--base-url", "http://example.org/%61"}, nil, []string{"--base-url", "plain letters"}},
		{"base URL with port too large", []string{"--base-url", "http://example.org:99999"}, nil, []string{"--base-url"}},
		{"empty base URL", nil, []string{"MADANG_BASE_URL="}, []string{"--base-url", "MADANG_BASE_URL", "https://"}},
		{"empty sender", nil, []string{"MADANG_MAIL_FROM="}, []string{"--mail-from", "MADANG_MAIL_FROM"}},
		{"empty cron", nil, []string{"MADANG_CLEANUP_AT="}, []string{"--cleanup-at", "MADANG_CLEANUP_AT"}},
		{"empty yes or no", nil, []string{"MADANG_DEV_MAIL="}, []string{"--dev-mail", "MADANG_DEV_MAIL"}},
		{"empty database", nil, []string{"MADANG_DATABASE="}, []string{"--database", "MADANG_DATABASE", "SQLite"}},
		{"empty secret", nil, []string{"MADANG_SECRET="}, []string{"--secret", "MADANG_SECRET", "64 hexadecimal digits"}},
		{"empty secret as a flag", []string{"--secret", ""}, nil, []string{"--secret", "MADANG_SECRET", "64 hexadecimal digits"}},
		{"empty file of the secret", nil, []string{"MADANG_SECRET_FILE=/dev/null"}, []string{"MADANG_SECRET_FILE", "empty"}},
		{"empty file of the mail server", nil, []string{"MADANG_SMTP_URL_FILE=/dev/null"}, []string{"MADANG_SMTP_URL_FILE", "empty"}},
		{"file without end", nil, []string{"MADANG_SECRET_FILE=/dev/zero"}, []string{"MADANG_SECRET_FILE", "64 KiB"}},
		{"empty data", []string{"--data", ""}, nil, []string{"--data", "MADANG_DATA", "directory"}},
		{"another database", nil, []string{"MADANG_DATABASE=mysql://u:hidden@h/d"}, []string{"--database", "MADANG_DATABASE", "SQLite", "postgres://"}},
		{"database with a bad port", nil, []string{"MADANG_DATABASE=postgres://u:hidden@h:99999/d"}, []string{"--database", "MADANG_DATABASE", "postgres://"}},
		{"database with a bad option", nil, []string{"MADANG_DATABASE=postgres://u:hidden@h/d?sslmode=hidden"}, []string{"--database", "postgres://"}},
		{"database that cannot be read", nil, []string{"MADANG_DATABASE=postgres://u:hid%zzden@h/d"}, []string{"--database", "postgres://"}},
		{"secret too short", nil, []string{"MADANG_SECRET=hidden"}, []string{"MADANG_SECRET", "64 hexadecimal digits"}},
		{"secret of other letters", nil, []string{"MADANG_SECRET=hidden" + secretA[6:]}, []string{"MADANG_SECRET", "64 hexadecimal digits"}},
		{"secret twice", nil, []string{"MADANG_SECRET=" + secretA, "MADANG_SECRET_FILE=/nowhere"}, []string{"MADANG_SECRET_FILE"}},
		{"secret from nowhere", nil, []string{"MADANG_SECRET_FILE=/nowhere/at/all"}, []string{"MADANG_SECRET_FILE", "file"}},
		{"mail server of another scheme", []string{"--smtp-url", "http://me:hidden@mail.example.org"}, nil, []string{"--smtp-url", "MADANG_SMTP_URL", "smtp://"}},
		{"mail server without host", []string{"--smtp-url", "smtp://"}, nil, []string{"--smtp-url", "smtp://"}},
		{"mail server with odd TLS", []string{"--smtp-url", "smtp://me:hidden@mail.example.org?tls=maybe"}, nil, []string{"--smtp-url", "tls"}},
		{"password in the clear", []string{"--smtp-url", "smtp://me:hidden@mail.example.org:25?tls=none"}, nil, []string{"--smtp-url", "localhost"}},
		{"sender", []string{"--mail-from", "nobody"}, nil, []string{"--mail-from", "no-reply@example.org"}},
		{"sender with quotes", []string{"--mail-from", `"a b"@example.org`}, nil, []string{"--mail-from"}},
		{"no workers", nil, []string{"MADANG_MAIL_WORKERS=0"}, []string{"--mail-workers", "MADANG_MAIL_WORKERS", "from 1"}},
		{"delay without a unit", []string{"--drain-delay", "3"}, nil, []string{"--drain-delay", "MADANG_DRAIN_DELAY", "such as 2s"}},
		{"delay without end", nil, []string{"MADANG_DRAIN_DELAY=1h"}, []string{"--drain-delay", "1m0s"}},
		{"half a worker", []string{"--view-workers", "0.5"}, nil, []string{"--view-workers", "whole number"}},
		{"negative slots", []string{"--hash-slots=-1"}, nil, []string{"--hash-slots", "from 1"}},
		{"proxy by name", []string{"--trusted-proxies", "10.0.0.0/8,proxy"}, nil, []string{"--trusted-proxies", "10.0.0.0/8"}},
		{"limits", nil, []string{"MADANG_RATE_LIMITS=no"}, []string{"--rate-limits", "MADANG_RATE_LIMITS", `"on","off"`}},
		{"cron of five fields", []string{"--cleanup-at", "0 3 * * *"}, nil, []string{"--cleanup-at", "MADANG_CLEANUP_AT"}},
		{"zone", []string{"--timezone", "Mars/Olympus"}, nil, []string{"--timezone", "Asia/Seoul"}},
		{"zone of the machine", []string{"--timezone", "Local"}, nil, []string{"--timezone", "UTC"}},
		{"log format", []string{"--log-format", "xml"}, nil, []string{"--log-format", "text", "json"}},
		{"log level", nil, []string{"MADANG_LOG_LEVEL=loud"}, []string{"--log-level", "MADANG_LOG_LEVEL", "debug"}},
		{"yes or no", nil, []string{"MADANG_DEV_MAIL=maybe"}, []string{"--dev-mail", "MADANG_DEV_MAIL", "true"}},
		{"mailbox for everybody", []string{"--addr", ":8080"}, nil, []string{"--smtp-url", "MADANG_SMTP_URL", "--dev-mail"}},
		{"mailbox behind a proxy", []string{"--base-url", "https://example.org"}, nil, []string{"--smtp-url", "--dev-mail"}},
	}
	ended, end := context.WithCancel(t.Context())
	end() // a board that starts all the same does not stay
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			args := append([]string{"serve", "--data", filepath.Join(t.TempDir(), "data")}, test.args...)
			err := run(ended, args, test.environ, streams{in: strings.NewReader(""), out: &out, err: &out})
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, word := range test.want {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("no %q in %q", word, err)
				}
			}
			if strings.ContainsAny(err.Error(), "\r\n") || strings.Contains(err.Error(), "hidden") {
				t.Errorf("more than a line, or a secret, in %q", err)
			}
			if out.Len() > 0 {
				t.Errorf("printed besides: %q", out.String())
			}
		})
	}
}

func TestHelpNamesEverySettingWithItsVariable(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"serve", "--help"}, nil, streams{out: &out, err: &out}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"--addr", "$MADANG_ADDR", "localhost:8080", "$MADANG_CLEANUP_AT", "0 0 3 * * *"} {
		if !strings.Contains(out.String(), word) {
			t.Errorf("no %q in the help", word)
		}
	}
	if strings.Contains(out.String(), "$MADANG_HELP") {
		t.Error("help has a variable")
	}
}

func TestHelpOfACommandWithRequiredFlags(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"admin", "create", "--help"}, nil, streams{out: &out, err: &out}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "--nickname") {
		t.Errorf("help is %q", out.String())
	}
}

func TestDetailsOfAnAdministratorHaveNoVariable(t *testing.T) {
	_, err := parse([]string{"version"}, []string{"MADANG_EMAIL=a@example.org"}, streams{})
	if err == nil || !strings.Contains(err.Error(), "unknown variable MADANG_EMAIL") {
		t.Errorf("MADANG_EMAIL: %v", err)
	}
}

func TestNoneMayBeSaidByAnEmptyValue(t *testing.T) {
	c := parsed(t, nil, []string{"MADANG_SMTP_URL=", "MADANG_TRUSTED_PROXIES="})
	if c.SMTPURL != "" || len(c.TrustedProxies) != 0 {
		t.Errorf("mail server %q, proxies %v", c.SMTPURL, c.TrustedProxies)
	}
}
