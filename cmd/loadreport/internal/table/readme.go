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

// Replace puts a text between the marks of a file.
func Replace(path, text string) error {
	old, err := os.ReadFile(path) //nolint:gosec // whoever asks names the file
	if err != nil {
		return fmt.Errorf("replace the table: %w", err)
	}
	before, after, err := around(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	renewed := before + "\n" + strings.TrimSpace(text) + "\n\n" + after
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
