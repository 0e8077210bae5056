package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"madang/store"
)

// adminCmd groups what concerns administrators.
type adminCmd struct {
	Create adminCreateCmd `cmd:"" help:"Make an administrator, whose address counts as proven. The password is asked for, or read as one line of standard input."`
}

// adminCreateCmd makes an administrator.
type adminCreateCmd struct {
	storage `embed:""`

	Email    string `required:"" local:"" placeholder:"ADDRESS" help:"E-mail address."`
	Nickname string `required:"" local:"" help:"Name that everybody sees, 2 to 20 letters, digits, _ or -."`
	Name     string `required:"" local:"" help:"Name that administrators see, at most 50 characters."`
}

// Run makes the administrator in a database that serve may have open.
func (c *adminCreateCmd) Run(ctx context.Context, s streams) error {
	password, err := readPassword(ctx, s)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	opened, err := c.open(ctx, store.Options{})
	if err != nil {
		return err
	}
	user, err := opened.CreateAdmin(ctx, store.NewAdmin{
		Email: c.Email, Nickname: c.Nickname, Name: c.Name, Password: password,
	})
	if err = errors.Join(invalidAdmin(err), opened.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s <%s> is an administrator of the board in %s.\n", user.Nickname, user.Email, c.name())
	return err
}

// allowedAdmin says what each detail of an administrator may be.
var allowedAdmin = map[string]string{
	"email":    "--email: must be an e-mail address that no member has",
	"nickname": "--nickname: must be 2 to 20 letters, digits, _ or -, and not taken",
	"name":     "--name: must be 1 to 50 characters",
	"password": "the password must be 15 to 128 characters, and none that everybody tries",
}

// invalidAdmin words what is wrong with the details on one line.
func invalidAdmin(err error) error {
	var invalid *store.InvalidError
	if !errors.As(err, &invalid) {
		return err
	}
	var words []string
	for _, field := range []string{"email", "nickname", "name", "password"} {
		if _, bad := invalid.Fields[field]; bad {
			words = append(words, allowedAdmin[field])
		}
	}
	return errors.New(strings.Join(words, "; "))
}

// readPassword asks at a terminal, else reads one line.
func readPassword(ctx context.Context, s streams) (string, error) {
	if file, ok := s.in.(*os.File); ok && isTerminal(file) {
		return askPassword(ctx, file, s.err)
	}
	line, err := bufio.NewReader(io.LimitReader(s.in, maxPasswordLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// maxPasswordLine bounds what is read of a password, in bytes; the longest
// that is allowed fits several times.
const maxPasswordLine = 4096

// askPassword asks without echo until the same was typed twice.
func askPassword(ctx context.Context, terminal *os.File, prompt io.Writer) (string, error) {
	for {
		first, err := askOnce(ctx, terminal, prompt, "Password: ")
		if err != nil {
			return "", err
		}
		again, err := askOnce(ctx, terminal, prompt, "Again: ")
		if err != nil || first == again {
			return first, err
		}
		fmt.Fprintln(prompt, "These were not the same.")
	}
}

// askOnce reads a line without echo. When ctx ends first it gives the terminal
// its echo back, which the pending read would keep off.
func askOnce(ctx context.Context, terminal *os.File, prompt io.Writer, words string) (string, error) {
	fd := int(terminal.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	fmt.Fprint(prompt, words)
	defer fmt.Fprintln(prompt)
	typed := make(chan answer, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		typed <- answer{string(line), err}
	}()
	select {
	case a := <-typed:
		return a.line, a.err
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}

// answer is what came of a question.
type answer struct {
	line string
	err  error
}
