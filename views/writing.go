package views

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Writing is what a form for a text shows beside its fields.
type Writing struct {
	// Previewed is true when the text stands above the form as it will look.
	Previewed bool
	// Mentions are the nicknames of members that are links in the preview.
	Mentions []string
	// SavedAt is of the draft that fills the form, zero for none.
	SavedAt time.Time
	// Base is when what is edited had been changed last when the form was
	// made, zero for never.
	Base time.Time
	// Changed is true when it has been changed since.
	Changed bool
}

// draftScript saves drafts while somebody writes.
const draftScript = "draft.js"

// base is Base as the form carries it.
func (w Writing) base() string {
	if w.Base.IsZero() {
		return "0"
	}
	return strconv.FormatInt(w.Base.UnixMilli(), 10)
}

// Numbers that no text of a page has, so that footnotes do not meet.
const (
	previewID int64 = math.MaxInt64 - iota
	helpID
)

// previewHTML renders a text that nobody else will read. It is not kept: the
// next look is at another text.
func (p Page) previewHTML(w Writing, sink int, source string) string {
	if !w.Previewed {
		return ""
	}
	return shared().render(textKey{previewID, sink, source, p.mentioned(w.Mentions, source)})
}

// helpLines are the lines of the help: Markdown, which stands beside what
// becomes of it.
func (p Page) helpLines() []string {
	lines := strings.Split(p.Word("write.help_lines"), "\n\n\n")
	return slices.Insert(lines, 2, p.Word("write.help_link", p.Site.absolute("/")))
}

func (Page) helpHTML(source string) string {
	return shared().html(textKey{id: helpID, sink: 1, source: source})
}
