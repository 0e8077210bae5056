package views

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

const (
	// codeMax bounds the code of one text that is coloured, in bytes.
	codeMax = 16 << 10
	// codeTime is how long colouring may take for each KB of it, after codeLeast:
	// many times what code needs that is meant to be read.
	codeTime  = 10 * time.Millisecond
	codeLeast = 20 * time.Millisecond
	// codeWidth is how many columns of code fit into the narrowest window.
	codeWidth = 28
)

// codeHTML is the attribute of a block of code that holds its coloured words.
const codeHTML = "coloured"

// colour prepares the blocks of code of a text. What is too long, of a language
// that is not known, or takes too much time stays plain.
func (h *highlighter) colour(doc ast.Node, source []byte) {
	left := codeMax
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		code := codeOf(block, source)
		lexer := h.lexer(string(block.Language(source)))
		if left -= len(code); left < 0 || lexer == nil {
			return ast.WalkSkipChildren, nil
		}
		if html, ok := coloured(lexer, code, codeLeast+codeTime*time.Duration(len(code))/1024); ok {
			block.SetAttributeString(codeHTML, html)
		}
		return ast.WalkSkipChildren, nil
	})
}

func codeOf(block ast.Node, source []byte) string {
	return string(block.Lines().Value(source))
}

// codeBox renders code in a box that scrolls sideways, and takes the focus
// where it may have to: only then can keys scroll it in every browser.
type codeBox struct{}

// RegisterFuncs takes the place of the renderers of code.
func (codeBox) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	code, language := codeOf(n, source), ""
	if block, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(block.Language(source))
	}
	_, _ = w.WriteString("<pre")
	if wide(code) {
		_, _ = w.WriteString(` tabindex="0"`)
	}
	_, _ = w.WriteString("><code")
	if language != "" {
		_, _ = w.WriteString(` class="language-`)
		_, _ = w.Write(util.EscapeHTML([]byte(language)))
		_, _ = w.WriteString(`"`)
	}
	_, _ = w.WriteString(">")
	if html, ok := n.AttributeString(codeHTML); ok {
		_, _ = w.Write(html.([]byte))
	} else {
		_, _ = w.Write(util.EscapeHTML([]byte(code)))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// wide reports whether a line of code may not fit.
func wide(code string) bool {
	for line := range strings.Lines(code) {
		if len(line) <= codeWidth/8 {
			continue // be it of tabs alone
		}
		columns := strings.Count(line, "\t") * 7
		for _, r := range strings.TrimSuffix(line, "\n") {
			columns++
			if utf8.RuneLen(r) > 2 {
				columns++ // most of them are twice as wide
			}
		}
		if columns > codeWidth {
			return true
		}
	}
	return false
}

// allowCode lets code and its colours through.
func allowCode(p *bluemonday.Policy) {
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\pL\pN_+#.-]{1,40}$`)).OnElements("code")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^[` + codeClasses + `]$`)).OnElements("span")
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre")
}
