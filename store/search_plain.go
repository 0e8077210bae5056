package store

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainText returns a text of Markdown without its signs, about as a reader
// sees it: what is searched and what an excerpt shows. Its time grows with the
// length of the text and nothing else.
func plainText(source string) string {
	var p plainer
	p.out.Grow(len(source))
	for line := range strings.Lines(source) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	return strings.TrimRight(p.out.String(), "\n")
}

type plainer struct {
	out   strings.Builder
	fence string // that ends the code the lines are in; "" outside
}

func (p *plainer) line(line string) {
	trimmed := strings.TrimLeft(line, " \t>")
	fence := fenceOf(trimmed)
	switch {
	case p.fence != "" && strings.HasPrefix(fence, p.fence) && strings.Trim(trimmed, p.fence[:1]+" \t") == "":
		p.fence = ""
		return
	case p.fence == "" && fence != "":
		p.fence = fence
		return
	case p.fence != "":
		p.out.WriteString(line)
	default:
		inline := inliner{rest: withoutMarkers(trimmed)}
		p.out.WriteString(inline.text())
	}
	p.out.WriteByte('\n')
}

// fenceOf is the row of signs with which a block of code begins or ends.
func fenceOf(line string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, sign)); n >= 3 && (sign == "~" || !strings.Contains(line[n:], sign)) {
			return line[:n]
		}
	}
	return ""
}

// withoutMarkers takes away what makes a line a heading, an item, a row of a
// table or a rule.
func withoutMarkers(line string) string {
	if strings.Trim(line, "-=*_|: \t") == "" {
		return ""
	}
	if strings.HasPrefix(line, "|") {
		return strings.ReplaceAll(strings.Trim(line, "| \t"), "|", " ")
	}
	if rest := strings.TrimLeft(line, "#"); len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ") {
		return rest[1:]
	}
	rest := strings.TrimLeft(line, "0123456789")
	marks := "-+*"
	if n := len(line) - len(rest); n > 0 && n < 10 {
		marks = ".)"
	}
	if len(rest) > 1 && strings.ContainsRune(marks, rune(rest[0])) && rest[1] == ' ' {
		line = strings.TrimLeft(rest[2:], " ")
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		line = strings.TrimPrefix(line, box)
	}
	return line
}

// inliner takes the signs out of one line.
type inliner struct {
	rest string
	out  []byte
	open []emphasis // where signs stand in out that may turn out to be a pair
}

// emphasis is a row of signs that wait for their like.
type emphasis struct {
	signs string
	at    int
}

// openMax bounds how many rows of signs may wait, and so the time.
const openMax = 32

func (in *inliner) text() string {
	for in.rest != "" {
		switch in.rest[0] {
		case '\\':
			in.escaped()
		case '`':
			in.code()
		case '*', '_', '~':
			in.signs()
		case '!', '[', ']':
			in.bracket()
		case '<', '>':
			in.autolink()
		default:
			n := strings.IndexAny(in.rest, "\\`*_~![]<>")
			if n < 0 {
				n = len(in.rest)
			}
			in.take(n)
		}
	}
	return html.UnescapeString(string(in.out))
}

// take copies bytes as they are.
func (in *inliner) take(n int) {
	in.out = append(in.out, in.rest[:n]...)
	in.rest = in.rest[n:]
}

func (in *inliner) escaped() {
	if len(in.rest) > 1 && strings.ContainsRune("\\`*_{}[]<>()#+-.!|~\"'&", rune(in.rest[1])) {
		in.rest = in.rest[1:]
	}
	in.take(1)
}

// code keeps what stands between two equal rows of backquotes.
func (in *inliner) code() {
	n := len(in.rest) - len(strings.TrimLeft(in.rest, "`"))
	length := strings.Index(in.rest[n:], in.rest[:n])
	if length < 0 {
		in.take(n)
		return
	}
	in.rest = in.rest[n:]
	in.take(length)
	in.rest = in.rest[n:]
}

// signs drops a row of signs when it closes one that is open, and that one with
// it.
func (in *inliner) signs() {
	sign := in.rest[:1]
	n := len(in.rest) - len(strings.TrimLeft(in.rest, sign))
	row := in.rest[:n]
	before, _ := utf8.DecodeLastRune(in.out)
	after, _ := utf8.DecodeRuneInString(in.rest[n:])
	inWord := sign == "_" && wordly(before) && wordly(after)
	if sign != "~" || n == 2 {
		if closes := len(in.out) > 0 && !unicode.IsSpace(before) && !inWord; closes && in.closed(row) {
			in.rest = in.rest[n:]
			return
		}
		if opens := n < len(in.rest) && !unicode.IsSpace(after) && !inWord; opens && len(in.open) < openMax {
			in.open = append(in.open, emphasis{row, len(in.out)})
		}
	}
	in.take(n)
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// closed takes the last open row of these signs away, with all that opened
// after it and stays what it is.
func (in *inliner) closed(row string) bool {
	for i, e := range slices.Backward(in.open) {
		if e.signs == row {
			if e.at+len(row) == len(in.out) {
				return false // nothing between them
			}
			in.out = append(in.out[:e.at], in.out[e.at+len(row):]...)
			in.open = in.open[:i]
			return true
		}
	}
	return false
}

// reach bounds how far the end of a link is looked for, and so the time.
const reach = 2048

// upTo returns what stands before the next of these signs.
func (in *inliner) upTo(from int, end string) (inside string, ok bool) {
	inside, _, ok = strings.Cut(in.rest[from:min(len(in.rest), from+reach)], end)
	return inside, ok
}

// bracket keeps the words of a link or an image and drops where it leads.
func (in *inliner) bracket() {
	opening := strings.IndexByte(in.rest[:min(2, len(in.rest))], '[') // behind a "!" in an image
	switch {
	case strings.HasPrefix(in.rest, "[^"):
		in.drop(2, "]")
	case strings.HasPrefix(in.rest, "]("):
		in.drop(2, ")")
	case strings.HasPrefix(in.rest, "]["):
		in.drop(2, "]")
	case opening >= 0 && in.rest[0] != ']' && in.leads(opening+1):
		in.rest = in.rest[opening+1:]
	default:
		in.take(1)
	}
}

// leads reports whether the bracket that closes next begins a target.
func (in *inliner) leads(from int) bool {
	inside, ok := in.upTo(from, "]")
	if !ok {
		return false
	}
	target := from + len(inside) + 1
	switch {
	case strings.HasPrefix(in.rest[target:], "("):
		_, ok = in.upTo(target+1, ")")
	case strings.HasPrefix(in.rest[target:], "["):
		_, ok = in.upTo(target+1, "]")
	default:
		return false
	}
	return ok
}

// drop leaves out n signs and all up to the end.
func (in *inliner) drop(n int, end string) {
	inside, ok := in.upTo(n, end)
	if !ok {
		in.take(n)
		return
	}
	in.rest = in.rest[n+len(inside)+len(end):]
}

// autolink drops the brackets around an address.
func (in *inliner) autolink() {
	inside, ok := in.upTo(1, ">")
	if in.rest[0] == '<' && ok && strings.ContainsAny(inside, ":@") && !strings.ContainsAny(inside, " <") {
		in.out, in.rest = append(in.out, inside...), in.rest[len(inside)+2:]
		return
	}
	in.take(1)
}
