package views

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Texts beyond these are shown as they were typed. Nobody writes them by
// accident, and the parser's time, or what it makes, grows with their square:
// 50,000 times ">" took it seconds, and a table of 50 KB became a page of 50 MB.
const (
	nestingMax  = 30   // quotes and lists that begin on one line
	bracketsMax = 3000 // a text of the greatest length has room for 2,500 real links
	emphasisMax = 8000 // "*" and "_"
	cellsMax    = 2000 // cells of tables that nobody typed: a row of one "|" has all columns
)

// repeatedMax is how many bytes of addresses and titles of links a text may have
// beyond its own length: one that is given once may be used by many links.
const repeatedMax = 10_000

// tangled reports whether a text is made to be slow rather than to be read.
func tangled(source string) bool {
	if strings.Count(source, "[") > bracketsMax || strings.Count(source, "*")+strings.Count(source, "_") > emphasisMax ||
		cellsAdded(source) > cellsMax {
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

// cellsAdded is how many cells the tables of a text have beyond those that were
// typed: each row is filled up to the number of columns.
func cellsAdded(source string) (added int) {
	columns := 0
	for line := range strings.Lines(source) {
		line = strings.Trim(line, "> \t\v\f\r\n")
		switch {
		case line == "":
			columns = 0
		case strings.Trim(line, "|:- \t\v\f") == "":
			columns = max(columns, cells(line))
		}
		added += max(0, columns-cells(line))
	}
	return added
}

// cells is how many cells a row of a table has.
func cells(row string) int {
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	return strings.Count(row, "|") + 1
}

// swollen reports whether the links of a text repeat more than anybody wrote: a
// hundred thousand bytes become a hundred million so.
func swollen(doc ast.Node, source string) bool {
	size := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				size += len(n.Destination) + len(n.Title)
			}
		case *ast.Image:
			if entering {
				size += len(n.Destination) + len(n.Title)
			}
		}
		return ast.WalkContinue, nil
	})
	return size > len(source)+repeatedMax
}

// plain shows a text as it was typed.
func plain(source string) string {
	return "<p>" + strings.ReplaceAll(html.EscapeString(source), "\n", "<br>\n") + "</p>\n"
}
