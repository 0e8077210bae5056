package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// commandSays runs a command and fails the test unless its words, or those of
// its error, hold all that is wanted and no password of the server.
func commandSays(t *testing.T, args []string, fails bool, want ...string) {
	t.Helper()
	said, err := runCommand(t, "", args...)
	if (err != nil) != fails {
		t.Errorf("%q ended with %v", args, err)
	}
	if err != nil {
		said += "\n" + err.Error()
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q fails with more than a line: %v", args, err)
		}
	}
	for _, words := range want {
		if !strings.Contains(said, words) {
			t.Errorf("%q does not say %q but\n%s", args, words, said)
		}
	}
	if strings.Contains(said, storetest.ServerPassword) || strings.Contains(said, "hidden") {
		t.Errorf("%q tells a password:\n%s", args, said)
	}
}

func TestMigrateSaysFromWhereToWhere(t *testing.T) {
	newest := fmt.Sprint(schemaVersion(t))
	data, server := newData(t), storetest.PostgresOnce(t).Blank(t)
	for kind, board := range map[string][]string{"SQLite": {"--data", data}, "PostgreSQL": {"--database", server}} {
		t.Run(kind, func(t *testing.T) {
			status := append([]string{"migrate", "status"}, board...)
			commandSays(t, status, false, "its version   0", "this program  "+newest, "0001_settings, 0002_users")
			commandSays(t, append([]string{"migrate"}, board...), false, "was at version 0 and is at version "+newest)
			commandSays(t, append([]string{"migrate"}, board...), false, "is at version "+newest+" already")
			commandSays(t, status, false, "its version   "+newest, "pending       none")
			database := board[1]
			if kind == "SQLite" {
				database = filepath.Join(data, store.FileName)
			}
			storetest.Rows(t, database, `INSERT INTO schema_version SELECT MAX(version) + 1 FROM schema_version RETURNING 1`)
			commandSays(t, status, true, "this program  "+newest, "newer version of madang")
			commandSays(t, append([]string{"migrate"}, board...), true, "this program knows "+newest, "newer version of madang")
		})
	}
}

func schemaVersion(t *testing.T) int {
	t.Helper()
	v, err := store.ReadSchemaVersion(t.Context(), filepath.Join(t.TempDir(), "none"))
	if err != nil {
		t.Fatal(err)
	}
	return v.Newest
}

// A board that migrate made must start: it needs its key.
func TestEndToEndMigrateBeforeTheFirstServe(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	commandSays(t, []string{"migrate", "--data", data}, false, "version 0")
	startBoard(t, data)
}

func TestBadWordsForMigrate(t *testing.T) {
	server, data := storetest.PostgresOnce(t), newData(t)
	if _, err := runCommand(t, "", "migrate", "--data", data); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("a text of somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	board := filepath.Join(data, store.FileName)
	right := server.URL("postgres")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"copy", "--to", right}, []string{"--from"}},
		{[]string{"copy", "--from", board}, []string{"--to"}},
		{[]string{"copy", "--from", "", "--to", right}, []string{"--from", "SQLite"}},
		{[]string{"copy", "--from", right, "--to", right}, []string{"--from", "SQLite"}},
		{[]string{"copy", "--from", board, "--to", board}, []string{"--to", "postgres://"}},
		{[]string{"copy", "--from", board, "--to", "postgres://u:hid%zzden@h/d"}, []string{"--to", "postgres://"}},
		{[]string{"copy", "--from", data + "/none", "--to", right}, []string{"--from", "no such file"}},
		{[]string{"copy", "--from", data, "--to", right}, []string{"--from", "not a database of madang"}},
		{[]string{"copy", "--from", text, "--to", right}, []string{"--from", "not a database of madang"}},
		{[]string{"copy", "--from", board, "--to", "postgres://u:hidden@127.0.0.1:1/d"}, []string{"--to", "does not answer"}},
		{[]string{"copy", "--from", board, "--to", strings.Replace(right, storetest.ServerPassword, "hidden", 1)}, []string{"--to", "password authentication failed"}},
		{[]string{"copy", "--from", board, "--to", server.URL("nowhere")}, []string{"--to", `"nowhere" does not exist`}},
		{[]string{"--database", "postgres://u:hidden@127.0.0.1:1/d"}, []string{"--database", "does not answer"}},
		{[]string{"status", "--database", server.URL("nowhere")}, []string{"--database", `"nowhere" does not exist`}},
		{[]string{"status", "--database", text}, []string{"--database", "not a database of madang"}},
		{[]string{"stats"}, []string{"stats", "status", "copy"}},
	} {
		commandSays(t, append([]string{"migrate"}, c.args...), true, c.want...)
	}
	if tables := storetest.Rows(t, right, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`); len(tables) > 0 {
		t.Errorf("the database was changed: %v", tables)
	}
}

func TestThePasswordOfTheTargetComesFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(path, []byte("postgres://u:hidden@h/d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command, err := parse([]string{"migrate", "copy", "--from", "x"}, []string{"MADANG_TO_FILE=" + path}, streams{})
	if err != nil {
		t.Fatal(err)
	}
	if got := command.Model.Target.Addr().Interface().(*commands).Migrate.Copy.To; got != "postgres://u:hidden@h/d" {
		t.Errorf("got %q", got)
	}
}

func TestAnInterruptedCopyClaimsNoMoreThanItKnows(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := nothingKept(ctx, fmt.Errorf("copy: %w", store.ErrCopyUnsure)); !errors.Is(err, store.ErrCopyUnsure) {
		t.Errorf("in the middle of the commit it says %q", err)
	}
	if err := nothingKept(ctx, ctx.Err()); err.Error() != "interrupted; nothing was kept" {
		t.Errorf("before the commit it says %q", err)
	}
}

// TestEndToEndMove moves a board that people are using.
func TestEndToEndMove(t *testing.T) {
	target := storetest.PostgresOnce(t).Blank(t)
	box := newPostbox(t, 0)
	data := newData(t)
	old := startBoard(t, data, "--smtp-url", box.url)
	member, waiting, reader := old.browser(t, "member"), old.browser(t, "waiting"), old.browser(t, "reader")
	signUp(member, "minsu").redirected(t, "/auth/pending")
	member.post("/auth/verify/code", "code", box.wait(t, "minsu@example.com").code()).redirected(t, "/")
	post := writePost(t, member, "첫 글", "본문")
	reader.get(post)
	countBecomes(t, member, post, "1")
	signUp(waiting, "jiwoo").redirected(t, "/auth/pending")
	code := box.wait(t, "jiwoo@example.com").code()

	move := []string{"migrate", "copy", "--from", filepath.Join(data, store.FileName), "--to", target}
	commandSays(t, move, true, "--from", "a madang serve runs on", "stop it")
	if err := old.halt(); err != nil {
		t.Fatal(err)
	}
	commandSays(t, move, false, "posts", "views of posts", "MADANG_SECRET", "--database", "--trusted-proxies")
	commandSays(t, move, true, "--to", "already holds data")

	elsewhere := newData(t) // another machine
	commandSays(t, serveArgs(elsewhere, "--database", target, "--secret", secretB), true, "key")
	key, err := os.ReadFile(filepath.Join(data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	moved := startBoard(t, elsewhere, "--database", target, "--secret", strings.TrimSpace(string(key)), "--smtp-url", box.url)
	for _, b := range []*browser{member, waiting, reader} {
		b.base = moved.url
	}
	if title := member.get(post).doc.Find("h1").First().Text(); strings.TrimSpace(title) != "첫 글" {
		t.Errorf("the title is %q", title)
	}
	reader.get(post)
	moved.browser(t, "new").get(post)
	countBecomes(t, member, post, "2")
	waiting.post("/auth/verify/code", "code", code).redirected(t, "/")
	if next := writePost(t, member, "둘째", "본문"); next == post {
		t.Errorf("the second post is at %s too", next)
	}
}
