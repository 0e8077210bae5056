package table

import (
	"fmt"
	"os"
	"strings"
)

// The marks between which the table stands in README.md.
const (
	begin = "<!-- make load -->\n"
	end   = "<!-- /make load -->\n"
)

// intro stands above the table, which it explains.
const intro = "`make load` gives each script a board of its own, whose mail server takes its time,\n" +
	"and as many mail workers as `/admin/pools` asks for. It waits until every mail is\n" +
	"out, looks for lost and doubled ones, and writes `k6/results/index.html` and the\n" +
	"tables below; its status is not 0 when anything is not as it must be. With a `k6`\n" +
	"on the `PATH` it uses that. It takes ten minutes; `make load LOAD='--only load'`\n" +
	"less, and `LOAD='--only big'` is the one script that must be asked for.\n"

// Check says in time that a file has no place for the table.
func Check(path string) error {
	text, err := os.ReadFile(path) //nolint:gosec // whoever asks names the file
	if err != nil {
		return fmt.Errorf("look for the place of the table: %w", err)
	}
	_, _, err = around(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Replace puts a text, and what explains it, between the marks of a file.
func Replace(path, text string) error {
	old, err := os.ReadFile(path) //nolint:gosec // whoever asks names the file
	if err != nil {
		return fmt.Errorf("replace the table: %w", err)
	}
	before, after, err := around(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	renewed := before + "\n" + intro + "\n" + strings.TrimSpace(text) + "\n\n" + after
	if err := os.WriteFile(path, []byte(renewed), 0o644); err != nil { //nolint:gosec // a file of the repository
		return fmt.Errorf("replace the table: %w", err)
	}
	return nil
}

// around returns what stands before and after the table, marks included.
func around(text string) (before, after string, err error) {
	first, rest, ok := strings.Cut(text, begin)
	if !ok || strings.Contains(rest, begin) {
		return "", "", fmt.Errorf("the line %s must be there once", strings.TrimSpace(begin))
	}
	_, last, ok := strings.Cut(rest, end)
	if !ok {
		return "", "", fmt.Errorf("the line %s must be there, behind %s", strings.TrimSpace(end), strings.TrimSpace(begin))
	}
	return first + begin, end + last, nil
}
