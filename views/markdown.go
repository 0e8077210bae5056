package views

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"madang/store"
)

// Markdown makes HTML of what members write. The HTML is sanitised after
// rendering, and nothing changes it after that. It may be used by many
// goroutines at once.
type Markdown struct {
	engine goldmark.Markdown
	policy *bluemonday.Policy
	code   *highlighter
	memory memory
}

// NewMarkdown returns a renderer for GitHub's flavour with footnotes. HTML in
// the source is text like any other, and a line break is a line break: who
// writes here need not know that it is Markdown.
func NewMarkdown() *Markdown {
	engine := goldmark.New(
		goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(withoutHTML(parser.DefaultBlockParsers())...),
			parser.WithInlineParsers(append(withoutHTML(parser.DefaultInlineParsers()), util.Prioritized(mentionParser{}, 500))...),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		)),
		goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(tableBox{}, 0),
			util.Prioritized(codeBox{}, 0), util.Prioritized(taskBox{}, 0), util.Prioritized(mentionBox{}, 0))),
		goldmark.WithExtensions(
			// The default writes the alignment of a cell as a style.
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.TaskList, extension.Linkify,
			extension.NewFootnote(extension.WithFootnoteIDPrefixFunction(notePrefix)),
		),
	)
	return &Markdown{engine: engine, policy: textPolicy(), code: newHighlighter(), memory: memory{limit: memoryLimit}}
}

// HTML renders a text. The id tells the texts of one page apart, so that the
// footnotes of each lead to its own; headings sink to fit below that of the
// page, which has the level sink.
func (m *Markdown) HTML(id int64, sink int, source string) string {
	return m.html(textKey{id: id, sink: sink, source: source})
}

func (m *Markdown) html(key textKey) string {
	if html, ok := m.memory.recall(key); ok {
		return html
	}
	html, done := m.rendered(key)
	if done {
		m.memory.keep(key, html)
	}
	return html
}

// render makes the HTML of a text anew.
func (m *Markdown) render(key textKey) string {
	html, _ := m.rendered(key)
	return html
}

// rendered reports false for HTML that may be better another time.
func (m *Markdown) rendered(key textKey) (html string, done bool) {
	if tangled(key.source) {
		return m.policy.Sanitize(plain(key.source)), true
	}
	raw := []byte(key.source)
	pc := parser.NewContext()
	if key.mentioned != "" {
		pc.Set(mentionsKey, unpackMentions(key.mentioned))
	}
	doc := m.engine.Parser().Parse(text.NewReader(raw), parser.WithContext(pc))
	if swollen(doc, key.source) {
		return m.policy.Sanitize(plain(key.source)), true
	}
	doc.OwnerDocument().AddMeta(noteMeta, []byte("text-"+strconv.FormatInt(key.id, 10)+"-"))
	tame(doc, key.sink)
	done = m.code.colour(doc, raw)
	var buf bytes.Buffer
	if err := m.engine.Renderer().Render(&buf, raw, doc); err != nil {
		// Only a failing writer makes an error, and a buffer never fails.
		return m.policy.Sanitize(key.source), true
	}
	return m.policy.SanitizeReader(&buf).String(), done
}

// noteMeta is where a document keeps the prefix of its footnotes' ids.
const noteMeta = "note-prefix"

func notePrefix(n ast.Node) []byte {
	prefix, _ := n.OwnerDocument().Meta()[noteMeta].([]byte)
	return prefix
}

func withoutHTML(parsers []util.PrioritizedValue) []util.PrioritizedValue {
	block, inline := parser.NewHTMLBlockParser(), parser.NewRawHTMLParser()
	kept := parsers[:0]
	for _, p := range parsers {
		if p.Value != block && p.Value != inline {
			kept = append(kept, p)
		}
	}
	return kept
}

// tame changes what a text of a stranger must not bring: headings of the
// page's own level, images from elsewhere, links that lend our good name.
func tame(doc ast.Node, sink int) {
	open := 0 // links and images around the node
	headings := outline{sink: sink}
	var images []*ast.Image
	var nested, tasks []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		kind := n.Kind()
		holds := kind == ast.KindLink || kind == ast.KindImage
		switch {
		case holds && !entering:
			open--
		case holds && open > 0:
			nested = append(nested, n)
		case kind == ast.KindImage:
			images = append(images, n.(*ast.Image))
		case kind == ast.KindLink || kind == ast.KindAutoLink:
			n.SetAttributeString("rel", []byte(linkRel))
		case kind == extast.KindTaskCheckBox && entering:
			tasks = append(tasks, n)
		case kind == ast.KindHeading && entering:
			heading := n.(*ast.Heading)
			heading.Level = headings.next(heading.Level)
		}
		if holds && entering {
			open++
		}
		return ast.WalkContinue, nil
	})
	// Only now: a walk does not survive that its tree is changed.
	for _, n := range nested {
		unwrap(n)
	}
	for _, image := range images {
		linkImage(image)
	}
	for _, task := range tasks {
		labelTask(task)
	}
}

const linkRel = "nofollow ugc"

// linkImage puts a link in the place of an image, so that reading a text tells
// no other site who reads.
func linkImage(image *ast.Image) {
	link := ast.NewLink()
	link.Destination, link.Title = image.Destination, image.Title
	link.SetAttributeString("rel", []byte(linkRel))
	moveChildren(image, func(child ast.Node) { link.AppendChild(link, child) })
	if !link.HasChildren() {
		address := ast.NewString(image.Destination)
		address.SetRaw(true)
		link.AppendChild(link, address)
	}
	image.Parent().ReplaceChild(image.Parent(), image, link)
}

// unwrap leaves of what stands in a link its words: a link holds no other.
func unwrap(n ast.Node) {
	parent := n.Parent()
	moveChildren(n, func(child ast.Node) { parent.InsertBefore(parent, n, child) })
	parent.RemoveChild(parent, n)
}

func moveChildren(from ast.Node, move func(ast.Node)) {
	for child := from.FirstChild(); child != nil; child = from.FirstChild() {
		from.RemoveChild(from, child)
		move(child)
	}
}

// textPolicy allows what the renderer above makes and nothing else.
func textPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li",
		"pre", "code", "em", "strong", "del", "table", "thead", "tbody", "tr", "th", "td", "sup", "div")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("title").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^` + linkRel + `$`)).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnFullyQualifiedLinks(true)
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	allowCode(p)
	allowTasks(p)
	allowNotes(p)
	allowTableBox(p)
	allowMentions(p)
	return p
}

// allowNotes lets the ids and roles of footnotes through.
func allowNotes(p *bluemonday.Policy) {
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^text-[0-9]+-fn(ref[0-9]*)?:[0-9]+$`)).OnElements("sup", "li")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^footnote(s|-ref|-backref)$`)).OnElements("a", "div")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^doc-(noteref|backlink|endnotes)$`)).OnElements("a", "div")
}

// shared is the renderer of all pages.
var shared = sync.OnceValue(NewMarkdown)

// postHTML renders the body of the post, which stands alone below its title.
func (p PostPage) postHTML() string {
	return shared().html(textKey{0, 1, p.Post.Body, p.mentioned(p.Mentions, p.Post.Body)})
}

// commentHTML renders one of many comments below their common heading.
func (p PostPage) commentHTML(c store.Comment) string {
	return shared().html(textKey{c.ID, 2, c.Body, p.mentioned(p.Mentions, c.Body)})
}

// letterPolicy shows the HTML part of a mail without its head and styles.
var letterPolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "h1", "h2", "ul", "li")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https")
	p.SkipElementsContent("head", "title")
	return p
})

func mailHTML(source string) string { return letterPolicy().Sanitize(source) }
