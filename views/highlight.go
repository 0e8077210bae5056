package views

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
	"github.com/yuin/goldmark/util"
)

// languages are those whose code is coloured. One that hands parts of the code
// to a language which the code itself names, as Markdown does, is none of them.
const languages = `bash c c++ c# clojure css dart diff docker elixir erlang go graphql groovy haskell hcl html ini
	java javascript json julia kotlin lua make nginx objective-c ocaml perl powershell protobuf python r react ruby
	rust scala scss sql swift toml typescript xml yaml zig`

// highlighter knows the languages in which code is coloured. It may be used by
// many goroutines at once.
type highlighter struct {
	registry *chroma.LexerRegistry
	restEnds atomic.Int64 // Unix nanoseconds
}

func (h *highlighter) rests() bool { return time.Now().UnixNano() < h.restEnds.Load() }

func (h *highlighter) rest(d time.Duration) { h.restEnds.Store(time.Now().Add(d).UnixNano()) }

// matchTime is how long one rule of a language may look at one place. The
// rules backtrack: without an end, twenty quotes keep some busy for minutes.
const matchTime = 5 * time.Millisecond

// exactly has the runaway rules stopped in time: by itself the library looks at
// its clock ten times a second.
var exactly = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(matchTime) }) //nolint:gochecknoglobals // so is the clock

// newHighlighter reads no rules yet: a language costs something when it is
// first met.
func newHighlighter() *highlighter {
	exactly()
	h := &highlighter{registry: chroma.NewLexerRegistry()}
	for name := range strings.FieldsSeq(languages) {
		if rules, ok := lexers.Get(name).(*chroma.RegexLexer); ok {
			h.registry.Register(&hurried{RegexLexer: rules, registry: h.registry})
		}
	}
	return h
}

// within are the languages that stand in the code of another. They are prepared
// with it, or else they would take the time that is for colouring.
func within(language string) []string {
	if language == "HTML" {
		return []string{"CSS", "JavaScript"}
	}
	return nil
}

// lexer finds a language by the name that stands beside a block of code, ready
// to be used, nil where it is not known.
func (h *highlighter) lexer(name string) chroma.Lexer {
	name = strings.ToLower(name)
	if name == "" || len(name) > 20 {
		return nil
	}
	lexer := h.registry.Get(name)
	if found, ok := lexer.(*hurried); ok {
		found.ready()
	}
	return lexer
}

// hurried is a language whose rules give up in time.
type hurried struct {
	*chroma.RegexLexer

	registry *chroma.LexerRegistry
	once     sync.Once
	lexer    *chroma.RegexLexer
	err      error
}

// SetRegistry leaves the language where it is: the registry it was made for is
// that of the hurried ones.
func (h *hurried) SetRegistry(*chroma.LexerRegistry) chroma.Lexer { return h }

// ready reads the rules, and those of what is within, unless that is done.
func (h *hurried) ready() {
	h.once.Do(h.prepare)
	for _, name := range within(h.Config().Name) {
		if other, ok := h.registry.Get(name).(*hurried); ok {
			other.once.Do(other.prepare)
		}
	}
}

// Tokenise takes code apart.
func (h *hurried) Tokenise(options *chroma.TokeniseOptions, code string) (chroma.Iterator, error) {
	h.ready()
	if h.err != nil {
		return nil, h.err
	}
	return h.lexer.Tokenise(options, code) //nolint:wrapcheck // this is its lexer
}

func (h *hurried) prepare() {
	rules, err := h.Rules()
	if err != nil {
		h.err = fmt.Errorf("rules of %s: %w", h.Config().Name, err)
		return
	}
	rules = maps.Clone(rules)
	rules["hurry"] = []chroma.Rule{{Pattern: "hurry", Mutator: &hurry{}}}
	if h.lexer, h.err = chroma.NewLexer(h.Config(), func() chroma.Rules { return rules }); h.err == nil {
		h.lexer.SetRegistry(h.registry)
	}
}

// hurry is a rule that shortens the time of all others when they are compiled.
// There is no other way to them.
type hurry struct{ _ byte } // of some size, because chroma tells mutators apart by address

// Mutate is never called: the rule is gone by then.
func (*hurry) Mutate(*chroma.LexerState) error { return nil }

// MutateLexer shortens the time of the rules and takes its own away.
func (*hurry) MutateLexer(rules chroma.CompiledRules, state string, rule int) error {
	rules[state] = slices.Delete(rules[state], rule, rule+1)
	for _, list := range rules {
		for _, r := range list {
			if r.Regexp != nil {
				r.Regexp.MatchTimeout = matchTime
			}
		}
	}
	return nil
}

// coloured is code as HTML, with a span around each word that has a colour. It
// reports false when it did not get all of it done in time.
func coloured(lexer chroma.Lexer, code string, limit time.Duration) (html []byte, ok bool) {
	defer func() {
		if recover() != nil { // some lexers panic where their rules lead nowhere
			html, ok = nil, false
		}
	}()
	if !strings.HasSuffix(code, "\n") {
		code += "\n" // or some lexers would
	}
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return nil, false
	}
	end := time.Now().Add(limit)
	var b bytes.Buffer
	rest, open := code, ""
	for t := next(); t != chroma.EOF; t = next() {
		var whole bool
		if rest, whole = strings.CutPrefix(rest, t.Value); !whole || time.Now().After(end) {
			return nil, false
		}
		open = span(&b, open, classOf(t))
		_, _ = b.Write(util.EscapeHTML([]byte(t.Value)))
	}
	span(&b, open, "")
	return b.Bytes(), rest == ""
}

// span goes over from one colour to the next.
func span(b *bytes.Buffer, open, class string) string {
	if open == class {
		return class
	}
	if open != "" {
		b.WriteString("</span>")
	}
	if class != "" {
		b.WriteString(`<span class="` + class + `">`)
	}
	return class
}

// codeClasses are the colours: keyword, string, number, comment, name, and what
// a diff inserts and deletes.
const codeClasses = "ksncfid"

// classOf is the colour of a word, "" for that of all the rest.
func classOf(t chroma.Token) string {
	switch t.Type {
	case chroma.GenericInserted:
		return "i"
	case chroma.GenericDeleted:
		return "d"
	case chroma.NameTag, chroma.OperatorWord:
		return "k"
	case chroma.NameFunction, chroma.NameClass, chroma.NameAttribute, chroma.NameDecorator, chroma.NameBuiltin,
		chroma.GenericHeading, chroma.GenericSubheading:
		return "f"
	}
	switch t := t.Type; {
	case t.InCategory(chroma.Keyword), t == chroma.CommentPreproc, t == chroma.CommentPreprocFile:
		return "k"
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	}
	return ""
}
