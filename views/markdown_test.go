package views

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var allowedTags = []string{
	"p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong",
	"del", "table", "thead", "tbody", "tr", "th", "td", "sup", "div", "a", "input", "span", "label",
}

// allowedAttrs names for each attribute what it may hold.
var allowedAttrs = map[string]*regexp.Regexp{
	"href":       regexp.MustCompile(`(?s).*`), // judged by its scheme
	"title":      regexp.MustCompile(`(?s).*`),
	"rel":        regexp.MustCompile(`^nofollow ugc$`),
	"start":      regexp.MustCompile(`^\d+$`),
	"align":      regexp.MustCompile(`^(left|center|right)$`),
	"class":      regexp.MustCompile(`^(language-\S+|footnotes|footnote-ref|footnote-backref|table|[ksncfid])$`),
	"id":         regexp.MustCompile(`^text-7-fn`),
	"role":       regexp.MustCompile(`^(doc-|region$)`),
	"tabindex":   regexp.MustCompile(`^0$`),
	"aria-label": regexp.MustCompile(`(?s).*`),
	"type":       regexp.MustCompile(`^checkbox$`),
	"checked":    regexp.MustCompile(`^$`),
	"disabled":   regexp.MustCompile(`^$`),
}

func elements(t *testing.T, fragment string) []*html.Node {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		t.Fatal(err)
	}
	var list []*html.Node
	for _, root := range nodes {
		if root.Type == html.ElementNode {
			list = append(list, root)
		}
		for node := range root.Descendants() {
			if node.Type == html.ElementNode {
				list = append(list, node)
			}
		}
	}
	return list
}

func checkSafe(t *testing.T, source, rendered string) {
	t.Helper()
	for _, node := range elements(t, rendered) {
		if !slices.Contains(allowedTags, node.Data) {
			t.Errorf("%q makes <%s>: %s", source, node.Data, rendered)
		}
		for _, attr := range node.Attr {
			allowed, ok := allowedAttrs[attr.Key]
			if !ok || !allowed.MatchString(attr.Val) {
				t.Errorf("%q makes %s=%q: %s", source, attr.Key, attr.Val, rendered)
			}
			if attr.Key == "href" {
				checkAddress(t, source, attr.Val)
			}
		}
	}
}

func checkAddress(t *testing.T, source, address string) {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Errorf("%q makes the address %q: %v", source, address, err)
		return
	}
	if !slices.Contains([]string{"", "http", "https", "mailto"}, parsed.Scheme) {
		t.Errorf("%q makes the address %q", source, address)
	}
	// Browsers drop these before they look for a scheme.
	bare := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, strings.ToLower(address))
	if regexp.MustCompile(`^(javascript|vbscript|data|file):`).MatchString(bare) {
		t.Errorf("%q makes the address %q", source, address)
	}
}

func TestMarkdownWithstandsAttacks(t *testing.T) {
	m := NewMarkdown()
	for _, attack := range attacks {
		for _, source := range []string{attack, "- " + attack, "> " + attack, "text " + attack + " text", "[" + attack + "](x)", "**" + attack + "**"} {
			checkSafe(t, source, m.HTML(7, 1, source))
		}
	}
	all := strings.Join(attacks, "\n\n")
	checkSafe(t, "everything at once", m.HTML(7, 1, all))
}

func FuzzMarkdown(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack)
	}
	m := NewMarkdown()
	f.Fuzz(func(t *testing.T, source string) { checkSafe(t, source, m.HTML(7, 1, source)) })
}

func TestMarkdown(t *testing.T) {
	m := NewMarkdown()
	for _, c := range []struct{ name, source, want string }{
		{"a line break is one", "하나\n둘", "<p>하나<br>\n둘</p>"},
		{"HTML is text", "a <b>c</b>\n\n<div>d</div>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n<p>&lt;div&gt;d&lt;/div&gt;</p>"},
		{"a heading sinks", "# a\n\n## b", "<h2>a</h2>\n<h3>b</h3>"},
		{"no level of headings is left out", "### a\n\n###### b\n\n## c\n\n### d", "<h2>a</h2>\n<h3>b</h3>\n<h2>c</h2>\n<h3>d</h3>"},
		{"headings end at the sixth level", "# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f", "<h2>a</h2>\n<h3>b</h3>\n<h4>c</h4>\n<h5>d</h5>\n<h6>e</h6>\n<h6>f</h6>"},
		{"a link lends nothing", "[a](https://b.test \"c\")", `<p><a href="https://b.test" title="c" rel="nofollow ugc">a</a></p>`},
		{"a bare address is a link", "https://a.test/b?c=d&e", `<p><a href="https://a.test/b?c=d&amp;e" rel="nofollow ugc">https://a.test/b?c=d&amp;e</a></p>`},
		{"an image is a link", "![a *b*](https://c.test/d.png)", `<p><a href="https://c.test/d.png" rel="nofollow ugc">a <em>b</em></a></p>`},
		{"an image without words shows its address", "![](https://c.test/d.png)", `<p><a href="https://c.test/d.png" rel="nofollow ugc">https://c.test/d.png</a></p>`},
		{"an image in a link leaves its words", "[![a](b.png)](https://c.test)", `<p><a href="https://c.test" rel="nofollow ugc">a</a></p>`},
		{"an image in words in a link", "[*![a](b.png)*](https://c.test)", `<p><a href="https://c.test" rel="nofollow ugc"><em>a</em></a></p>`},
		{"a link in an image leaves its words", "![a [b](c) d](https://e.test)", `<p><a href="https://e.test" rel="nofollow ugc">a b d</a></p>`},
		{"what is struck", "~~a~~", "<p><del>a</del></p>"},
		{"tasks", "- [x] a\n- [ ] b", "<ul>\n<li><label><input checked=\"\" disabled=\"\" type=\"checkbox\"> a</label></li>\n<li><label><input disabled=\"\" type=\"checkbox\"> b</label></li>\n</ul>"},
		{"cells are aligned by attribute", "|a|\n|-:|\n|b|", "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"a\"><table>\n<thead>\n<tr>\n<th align=\"right\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align=\"right\">b</td>\n</tr>\n</tbody>\n</table></div>"},
		{"a table is called by its head", "|a *b*|`c`||\n|-|-|-|\n|\"'|", "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"a b, c\"><table>\n<thead>\n<tr>\n<th>a <em>b</em></th>\n<th><code>c</code></th>\n<th></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&#34;&#39;</td>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table></div>"},
		{"a table without words has no name", "||\n|-|", "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th></th>\n</tr>\n</thead>\n</table></div>"},
		{"code has a language", "```go\na < b\n```", "<pre><code class=\"language-go\">a &lt; b\n</code></pre>"},
		{"a list begins where it says", "3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>"},
		{"quotes stay quotes", `> "a" & 'b'`, "<blockquote>\n<p>&#34;a&#34; &amp; &#39;b&#39;</p>\n</blockquote>"},
	} {
		if got := strings.TrimSpace(m.HTML(7, 1, c.source)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestFootnotesOfTwoTextsDoNotMeet(t *testing.T) {
	const source = "a[^1]\n\n[^1]: b"
	for id, want := range map[int64]string{0: "text-0-fn:1", 42: "text-42-fn:1"} {
		got := NewMarkdown().HTML(id, 1, source)
		if !strings.Contains(got, `<li id="`+want+`"`) || !strings.Contains(got, `href="#`+want+`"`) {
			t.Errorf("%d: %s", id, got)
		}
	}
}

// Some texts cost the square of their length; the longest that a post may have
// must not hold a core for long.
func TestTangledTextIsShownAsTyped(t *testing.T) {
	m := NewMarkdown()
	for _, part := range []string{">", "> ", "1. ", "- ", "> - ", "7) ", "* > ", "[", "[a](", "[^1]: ", "![a](", "**a_"} {
		source := strings.Repeat(part, 12_500)
		if got := m.HTML(7, 1, source); strings.Count(got, "<") != 2 {
			t.Errorf("%q is rendered: %.80s", part, got)
		}
	}
	for _, source := range []string{
		strings.Repeat("> ", 20) + "deep", strings.Repeat("- ", 20) + "deep", strings.Repeat("* a\n", 5000),
		strings.Repeat("[a](https://b.example) ", 2000), "1234567890", "-", "----", "* * *\n", "1.5 is a number",
	} {
		if tangled(source) {
			t.Errorf("%.40q is not taken for Markdown", source)
		}
	}
}

// A text of a member is at most 50,000 characters, and what others load for it
// must not be a thousand times as much.
func TestTextDoesNotSwell(t *testing.T) {
	m := NewMarkdown()
	table := func(columns int, before, row string) string {
		return before + strings.Repeat("|a", columns) + "|\n" + before + strings.Repeat("|:-:", columns) + "|\n" + strings.Repeat(row, 12_000)
	}
	links := func(link, definition string) string {
		return "[a]: " + definition + "\n\n" + strings.Repeat(link, 1400)
	}
	long := strings.Repeat("x", 10_000)
	for name, source := range map[string]string{
		"rows of nothing":  table(200, "", "|\n"),
		"rows of a word":   table(200, "", "b\n"),
		"rows in a quote":  table(200, "> ", "> |\n"),
		"rows after it":    table(200, "> ", "|\n"),
		"rows with spaces": table(200, "  ", "  |  \n"),
		"address":          links("[a]", "/"+long),
		"title":            links("[a]", "/b '"+strings.Repeat("<", 10_000)+"'"),
		"images":           links("![a]", "/"+long),
		"links with words": links("[b][a] ", "/"+long),
	} {
		if got := m.render(textKey{id: 7, sink: 1, source: source}); len(got) > 20*len(source) {
			t.Errorf("%s: %d bytes became %d", name, len(source), len(got))
		}
	}
}

func TestTablesAndLinksOfUsualSizeAreRendered(t *testing.T) {
	m := NewMarkdown()
	for element, source := range map[string]string{
		"<td": "| a | b | c |\n|---|---|---|\n" + strings.Repeat("| 1 | 2 | 3 |\n", 3000),
		"<th": "a|b\n-|-\n" + strings.Repeat("1|2\n", 3000) + "3\n\n" + strings.Repeat("word\n", 3000),
		"<a ": strings.Repeat("[a] ", 100) + "\n\n[a]: https://a.example/" + strings.Repeat("x", 70),
	} {
		if got := m.render(textKey{id: 7, sink: 1, source: source}); !strings.Contains(got, element) {
			t.Errorf("%.30q is shown as it was typed", source)
		}
	}
}

func BenchmarkTextsMadeToBeSlow(b *testing.B) {
	for _, part := range []string{">", "1. ", "**a_", "[", "![", "`a", "|-\n", "[a]: b\n", "- [x] ", "http://a "} {
		source := strings.Repeat(part, 50_000/len(part))
		b.Run(part, func(b *testing.B) {
			m := NewMarkdown()
			for b.Loop() {
				m.render(textKey{id: 7, sink: 1, source: source})
			}
		})
	}
}

func TestMemoryForgetsWhatNobodyAsksFor(t *testing.T) {
	m := memory{limit: 100}
	key := func(source string) textKey { return textKey{id: 7, sink: 1, source: source} }
	m.keep(key("asked"), "kept")
	m.keep(key("forgotten"), "gone")
	for i := range 50 {
		m.keep(key(strings.Repeat("x", i)), "filler")
		if _, ok := m.recall(key("asked")); !ok {
			t.Fatalf("a text that is asked for was forgotten after %d others", i)
		}
	}
	if _, ok := m.recall(key("forgotten")); ok {
		t.Error("a text that nobody asked for is still there")
	}
	if n := len(m.young) + len(m.old); n > 60 {
		t.Errorf("%d texts are kept", n)
	}
}
