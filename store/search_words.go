package store

// indexWord is a word under which a text is found. One without a place is known to
// be in the text, and no more.
type indexWord struct {
	text  string
	place int // from 1; words that follow each other in the text have neighbouring ones
}

// Signs that stand in no token set words of another meaning apart.
const (
	inTitle    = "«" // a word of the title
	aCharacter = "»" // a single character, anywhere
)

// searchWords collects the words of a text.
type searchWords struct {
	words []indexWord
	place int
	known map[string]bool
}

// postWords are the words of a post. Those of its title stand there twice: once
// more as such.
func postWords(title, body string) []indexWord {
	w := &searchWords{known: map[string]bool{}}
	titled := tokens(title)
	w.text(titled, inTitle)
	w.text(titled, "")
	w.text(tokens(plainText(body)), "")
	return w.words
}

// commentWords are the words of a comment.
func commentWords(body string) []indexWord {
	w := &searchWords{known: map[string]bool{}}
	w.text(tokens(plainText(body)), "")
	return w.words
}

// text adds tokens behind a gap, so that no phrase reaches over it.
func (w *searchWords) text(tokens []token, sign string) {
	w.place++
	for _, t := range tokens {
		w.place++
		w.words = append(w.words, indexWord{sign + t.word, w.place})
		if t.wide {
			w.character(sign + aCharacter + t.first())
		}
	}
}

func (w *searchWords) character(word string) {
	if !w.known[word] {
		w.known[word] = true
		w.words = append(w.words, indexWord{text: word})
	}
}
