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
	// codeTime is how long code may take for each KB of it, beside codeSlow: many
	// times what it takes when it is meant to be read. After codeLimit more it
	// stays plain.
	codeTime  = 10 * time.Millisecond
	codeSlow  = 40 * time.Millisecond
	codeLimit = 200 * time.Millisecond
	// codeRest is how many times as long nothing is coloured after code that was
	// slow: a page of two hundred such takes no longer than a page of one.
	codeRest = 30
	// codeWidth is how many columns of code fit into the narrowest window.
	codeWidth = 28
)

// codeHTML is the attribute of a block of code that holds its coloured words.
const codeHTML = "coloured"

// colour prepares the blocks of code of a text. What is too long, of a language
// that is not known, or takes too much time stays plain. It reports false when
// another time it may do better, because this time it rests.
func (h *highlighter) colour(doc ast.Node, source []byte) (done bool) {
	resting, size, spent := h.rests(), 0, time.Duration(0)
	done = true
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		code := codeOf(block, source)
		lexer := h.lexer(string(block.Language(source)))
		if size += len(code); size > codeMax || lexer == nil {
			return ast.WalkSkipChildren, nil
		}
		if resting {
			done = false
			return ast.WalkStop, nil
		}
		began := time.Now()
		if html, ok := coloured(lexer, code, fair(size)+codeLimit-spent); ok {
			block.SetAttributeString(codeHTML, html)
		}
		spent += time.Since(began)
		return ast.WalkSkipChildren, nil
	})
	if spent > fair(size) {
		h.rest(codeRest * spent)
	}
	return done
}

// fair is how long so much code may take.
func fair(size int) time.Duration {
	return codeSlow + codeTime*time.Duration(size)/1024
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
