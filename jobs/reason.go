package jobs

import (
	"strings"
	"unicode"
)

// longestReason is how much of an error is kept with a job, in runes.
const longestReason = 300

// reason is an error as one short line: servers answer in paragraphs, and a
// line break in a log or a table lets their text pose as ours.
func reason(err error) string {
	line := strings.Join(strings.FieldsFunc(err.Error(), notShown), " ")
	runes := []rune(line)
	if len(runes) <= longestReason {
		return line
	}
	return string(runes[:longestReason]) + "…"
}

func notShown(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
