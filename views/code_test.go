package views

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// shownText is the code that a reader sees.
func shownText(t *testing.T, fragment string) string {
	t.Helper()
	var text strings.Builder
	for _, node := range elements(t, fragment) {
		if node.Data != "pre" {
			continue
		}
		for child := range node.Descendants() {
			if child.Type == html.TextNode {
				text.WriteString(child.Data)
			}
		}
	}
	return text.String()
}

func TestCodeIsColoured(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{
			"words of a language", "```go\nfunc f() { return \"a<b\" + 1 } // é\n```",
			`<pre tabindex="0"><code class="language-go"><span class="k">func</span> <span class="f">f</span>() { <span class="k">return</span> <span class="s">&#34;a&lt;b&#34;</span> + <span class="n">1</span> } <span class="c">// é</span>` + "\n</code></pre>",
		},
		{
			"a language in another", "```HTML\n<style>a{color:red}</style>\n```",
			`<pre><code class="language-HTML">&lt;<span class="k">style</span>&gt;<span class="k">a</span>{<span class="k">color</span>:<span class="k">red</span>}&lt;/<span class="k">style</span>&gt;` + "\n</code></pre>",
		},
		{"a diff", "```diff\n-a\n+b\n```", "<pre><code class=\"language-diff\"><span class=\"d\">-a\n</span><span class=\"i\">+b\n</span></code></pre>"},
		{"no language", "```\nfunc\n```", "<pre><code>func\n</code></pre>"},
		{"a language of nobody", "```nope\nfunc\n```", "<pre><code class=\"language-nope\">func\n</code></pre>"},
		{"a language that names others", "```markdown\n# a\n```", "<pre><code class=\"language-markdown\"># a\n</code></pre>"},
		{"an indented block", "    func f()", "<pre><code>func f()\n</code></pre>"},
		{"without an end", "```go\nfunc", "<pre><code class=\"language-go\"><span class=\"k\">func</span>\n</code></pre>"},
		{"a long line can be scrolled", "```\n" + strings.Repeat("x", 29) + "\n```", "<pre tabindex=\"0\"><code>" + strings.Repeat("x", 29) + "\n</code></pre>"},
		{"a long line of Hangul", "```\n" + strings.Repeat("가", 15) + "\n```", "<pre tabindex=\"0\"><code>" + strings.Repeat("가", 15) + "\n</code></pre>"},
		{"tabs are wide", "```\n\t\t\t\tx\n```", "<pre tabindex=\"0\"><code>\t\t\t\tx\n</code></pre>"},
	} {
		// Each anew: after one that is slow, as the first of a language may be on a
		// busy machine, the next would stay plain.
		if got := strings.TrimSpace(NewMarkdown().HTML(7, 1, c.source)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Whatever a language makes of a text, its readers see the text.
func TestColourChangesNoCode(t *testing.T) {
	m := NewMarkdown()
	const code = "a <b> \"c\" 'd' `e` /* f */ // g\n# h\n\t-- i\n{{ j }} ${k} <?php l ?>\\\n가나다 \u200b é 🙂 0x1F 1e9\nif (m) { return; }\n\"unclosed\n'''\n\n\n"
	for language := range strings.FieldsSeq(languages) {
		got := m.HTML(7, 1, "```"+language+"\n"+code+"```")
		if shownText(t, got) != code {
			t.Errorf("%s: %s", language, got)
		}
		checkSafe(t, language, got)
	}
}

func TestEveryLanguageIsThere(t *testing.T) {
	h := newHighlighter()
	for _, name := range append(strings.Fields(languages), "js", "ts", "py", "sh", "yml", "golang", "cpp", "Go") {
		if h.lexer(name) == nil {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"", "markdown", "php", strings.Repeat("x", 50_000)} {
		if h.lexer(name) != nil {
			t.Errorf("%.20s is known", name)
		}
	}
}

// These keep the rules of a language busy for longer than anybody lives.
func TestCodeMadeToBeSlowIsShownPlain(t *testing.T) {
	for _, c := range []struct{ language, part string }{
		{"go", `"\`}, {"javascript", `"\`}, {"typescript", `"\`}, {"java", `"\`}, {"kotlin", "`"}, {"scala", "\n\n"}, {"ruby", "<"}, {"perl", "{"},
	} {
		code := strings.Repeat(c.part, codeMax/len(c.part)-8) + "\n"
		began := time.Now()
		got := NewMarkdown().HTML(7, 1, "~~~"+c.language+"\n"+code+"~~~")
		if took := time.Since(began); took > 3*time.Second { // 0.2 s on a machine with nothing else to do
			t.Errorf("%s: %v", c.language, took)
		}
		if shownText(t, got) != code {
			t.Errorf("%s: %.80s", c.language, got)
		}
	}
}

func TestManyCodesMadeToBeSlowAreNoSlowerThanOne(t *testing.T) {
	m := NewMarkdown()
	slow := "~~~go\n" + strings.Repeat(`"\`, 2000) + "\n~~~"
	began := time.Now()
	for id := range int64(200) {
		m.HTML(id, 1, slow)
	}
	if took := time.Since(began); took > 5*time.Second { // 50 s and more without a rest
		t.Errorf("200 texts took %v", took)
	}
	const good = "```go\nfunc\n```"
	if got := m.HTML(1, 1, good); strings.Contains(got, "<span") {
		t.Skip("the rest is over") // on a machine that stood still
	}
	m.code.rest(0)
	if got := m.HTML(1, 1, good); !strings.Contains(got, "<span") {
		t.Errorf("plain for good: %s", got)
	}
}

func TestLongCodeIsPlain(t *testing.T) {
	got := NewMarkdown().HTML(7, 1, "```go\n"+strings.Repeat("func\n", codeMax/5+1)+"```")
	if strings.Contains(got, "<span") {
		t.Errorf("coloured: %.80s", got)
	}
}

func BenchmarkPostWithCode(b *testing.B) {
	code := strings.Repeat("func (s *Store) write(ctx context.Context, f func(t *tx) error) error { // waits\n\treturn s.run(ctx, \"write\", 12, f)\n}\n", 12)
	for name, source := range map[string]string{"go": "```go\n" + code + "```", "plain": "```\n" + code + "```"} {
		b.Run(name, func(b *testing.B) {
			m := NewMarkdown()
			m.render(textKey{source: source})
			for b.Loop() {
				m.code.rest(0)
				m.render(textKey{id: 7, sink: 1, source: source})
			}
		})
	}
}

func BenchmarkFirstCode(b *testing.B) {
	for b.Loop() {
		newHighlighter().lexer("go")
	}
}
