package views

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"madang/store"
)

// mentions are the members whose names become links in a text.
type mentions struct {
	prefix    string            // of the site
	nicknames map[string]string // as they are spelled now, by their keys
}

// mentioned packs whom a text may mention into what its rendering is kept by:
// "" where it mentions nobody.
func (p Page) mentioned(nicknames []string, source string) string {
	if len(nicknames) == 0 || !strings.Contains(source, "@") {
		return ""
	}
	return p.Site.Prefix + "\n" + strings.Join(nicknames, "\n")
}

func unpackMentions(packed string) mentions {
	prefix, names, _ := strings.Cut(packed, "\n")
	m := mentions{prefix: prefix, nicknames: map[string]string{}}
	for nickname := range strings.SplitSeq(names, "\n") {
		m.nicknames[store.NicknameKey(nickname)] = nickname
	}
	return m
}

func (m mentions) known(key string) bool { return m.nicknames[key] != "" }

// mentionsKey is where a parser finds whom a text may mention.
var mentionsKey = parser.NewContextKey() //nolint:gochecknoglobals // as goldmark wants it

// mentionParser finds the nicknames of members. Code and addresses do
// not come to it.
type mentionParser struct{}

// Trigger is the sign before a name.
func (mentionParser) Trigger() []byte { return []byte{'@'} }

// Parse returns nil where nobody is mentioned.
func (mentionParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	m, ok := pc.Get(mentionsKey).(mentions)
	if !ok || !store.MayMention(block.PrecendingCharacter()) {
		return nil
	}
	line, segment := block.PeekLine()
	name := store.Mention(string(line[1:]), m.known)
	if name == "" {
		return nil
	}
	end := 1 + len(name)
	link := &mentionLink{path: m.prefix + profilePath(m.nicknames[store.NicknameKey(name)])}
	link.AppendChild(link, ast.NewTextSegment(text.NewSegment(segment.Start, segment.Start+end)))
	block.Advance(end)
	return link
}

// allowMentions lets the class of a mention through.
func allowMentions(p *bluemonday.Policy) {
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^mention$`)).OnElements("a")
}
