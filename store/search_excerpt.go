package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Piece is a part of a text, one that was looked for or one between them.
type Piece struct {
	Text string
	Hit  bool
}

const (
	// excerptMax is about how wide an excerpt is, in letters.
	excerptMax = 180
	// excerptLead is how much of it comes before the first hit.
	excerptLead = 40
	// hitsMax bounds what is marked of one text.
	hitsMax = 500
)

// mark is where a term stands in a text, in bytes.
type mark struct {
	from, to int
	term     int
}

// findMarks returns where the terms of a query stand in a text, in its order.
func findMarks(q searchText, text string) []mark {
	var marks []mark
	all := tokens(text)
	for i := range all {
		for n, t := range q.all {
			if to, ok := t.at(all[i:]); ok {
				marks = append(marks, mark{all[i].from, to, n})
			}
		}
		if len(marks) > hitsMax {
			break
		}
	}
	return marks
}

// at reports whether a text begins with the term, and where that ends.
func (t term) at(text []token) (to int, ok bool) {
	words := t.words("")
	if len(text) < len(words) {
		return 0, false
	}
	for i, w := range words {
		last := i == len(words)-1
		switch {
		case len(t.tokens) == 1 && t.tokens[0].wide: // a single character
			return text[0].middle, text[0].wide && text[0].first() == t.tokens[0].word
		case last && w.begins && strings.HasPrefix(text[i].word, w.text):
		case text[i].word != w.text:
			return 0, false
		}
	}
	end := text[len(words)-1]
	if t.tokens[len(words)-1].wide && !t.tokens[len(words)-1].pair {
		return end.middle, true
	}
	return end.to, true
}

// markAll cuts a short text at its hits.
func markAll(q searchText, text string) []Piece {
	return pieces(text, 0, len(text), findMarks(q, text))
}

// excerpt cuts out of a text the part that shows most of what was looked for;
// where nothing of it is, its beginning.
func excerpt(q searchText, text string) []Piece {
	text = strings.Join(strings.Fields(withoutBidi(text)), " ")
	marks := findMarks(q, text)
	from := 0
	if best, ok := bestMark(marks); ok && forth(text, 0, excerptMax) < len(text) {
		from = back(text, best.from, excerptLead)
	}
	to := forth(text, from, excerptMax)
	cut := pieces(text, from, to, marks)
	if from > 0 {
		cut = append([]Piece{{Text: "…"}}, cut...)
	}
	if to < len(text) {
		cut = append(cut, Piece{Text: "…"})
	}
	return cut
}

// bestMark is the first of those from which an excerpt shows the most terms.
func bestMark(marks []mark) (best mark, ok bool) {
	const within = excerptMax - excerptLead // bytes: fewer characters, all of them shown
	most := 0
	for i, m := range marks {
		terms := map[int]bool{}
		for _, other := range marks[i:] {
			if other.to-m.from > within {
				break
			}
			terms[other.term] = true
		}
		if len(terms) > most || i == 0 {
			best, most, ok = m, len(terms), true
		}
	}
	return best, ok
}

// width is how wide a character is, in letters.
func width(r rune) int {
	if byCharacter(r) {
		return 2
	}
	return 1
}

// back goes back as far as so many letters reach, and on to the beginning of a
// word.
func back(text string, at, letters int) int {
	from := at
	for from > 0 && letters > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
		letters -= width(r)
	}
	if from == 0 {
		return 0
	}
	if space := strings.IndexByte(text[from:at], ' '); space >= 0 {
		return from + space + 1
	}
	return from
}

// forth goes on as far as so many letters reach, and back to the end of a word.
func forth(text string, at, letters int) int {
	to := at
	for to < len(text) && letters > 0 {
		r, size := utf8.DecodeRuneInString(text[to:])
		to += size
		letters -= width(r)
	}
	if to == len(text) {
		return to
	}
	if space := strings.LastIndexByte(text[at:to], ' '); space > (to-at)/2 {
		return at + space
	}
	return to
}

// pieces cuts a part of a text at its hits. Hits that touch are one.
func pieces(text string, from, to int, marks []mark) []Piece {
	var cut []Piece
	add := func(end int, hit bool) {
		if end > from {
			cut = append(cut, Piece{text[from:end], hit})
			from = end
		}
	}
	for i := 0; i < len(marks); i++ {
		m := marks[i]
		for ; i+1 < len(marks) && marks[i+1].from <= m.to; i++ {
			m.to = max(m.to, marks[i+1].to)
		}
		if m.to <= from || m.from >= to {
			continue
		}
		add(m.from, false)
		add(min(withMarks(text, m.to), to), true)
	}
	add(to, false)
	return cut
}

// withMarks takes in what belongs to the last letter of a hit.
func withMarks(text string, to int) int {
	for to < len(text) {
		r, size := utf8.DecodeRuneInString(text[to:])
		if !unicode.IsMark(r) {
			break
		}
		to += size
	}
	return to
}

// withoutBidi leaves out what turns the direction of a text for more than its
// own part.
func withoutBidi(text string) string {
	return strings.Map(func(r rune) rune {
		if bidiControl(r) || r == '\u200e' || r == '\u200f' || r == '\u061c' {
			return -1
		}
		return r
	}, text)
}
