package views

import (
	"html"
	"strings"
)

// Texts beyond these are shown as they were typed. Nobody writes them by
// accident, and the parser's time grows with the square of both: 50,000 times
// ">" took it seconds.
const (
	nestingMax  = 30   // quotes and lists that begin on one line
	bracketsMax = 3000 // a text of the greatest length has room for 2,500 real links
	emphasisMax = 8000 // "*" and "_"
)

// tangled reports whether a text is made to be slow rather than to be read.
func tangled(source string) bool {
	if strings.Count(source, "[") > bracketsMax || strings.Count(source, "*")+strings.Count(source, "_") > emphasisMax {
		return true
	}
	for line := range strings.Lines(source) {
		if nesting(line) > nestingMax {
			return true
		}
	}
	return false
}

// nesting is how many quotes and lists a line opens or continues.
func nesting(line string) int {
	for n := range nestingMax + 1 {
		rest, marked := afterMarker(strings.TrimLeft(line, " \t"))
		if !marked {
			return n
		}
		line = rest
	}
	return nestingMax + 1
}

// afterMarker returns what follows the marker of a quote or a list item, and
// whether there is one.
func afterMarker(text string) (string, bool) {
	if rest, quote := strings.CutPrefix(text, ">"); quote {
		return rest, true
	}
	rest := strings.TrimLeft(text, "0123456789")
	marks := "-+*"
	if len(rest) < len(text) {
		marks = ".)"
	}
	if len(rest) < 2 || !strings.ContainsRune(marks, rune(rest[0])) || !strings.ContainsRune(" \t", rune(rest[1])) {
		return text, false
	}
	return rest[1:], true
}

// plain shows a text as it was typed.
func plain(source string) string {
	return "<p>" + strings.ReplaceAll(html.EscapeString(source), "\n", "<br>\n") + "</p>\n"
}
