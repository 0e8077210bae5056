package views

import (
	stdhtml "html"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tableBox renders a table in a box that scrolls sideways. The box takes the
// focus, because only then can keys scroll it in every browser, and is called
// by the words of the table's head.
type tableBox struct{}

// RegisterFuncs takes the place of the table's own renderer.
func (tableBox) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, renderTable)
}

func renderTable(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</table></div>\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<div class="table" tabindex="0"`)
	if name := headWords(n, source); name != "" {
		_, _ = w.WriteString(` role="region" aria-label="` + stdhtml.EscapeString(name) + `"`)
	}
	_, _ = w.WriteString("><table>\n")
	return ast.WalkContinue, nil
}

// headWords is what the cells of a table's head say.
func headWords(table ast.Node, source []byte) string {
	var cells []string
	for cell := table.FirstChild().FirstChild(); cell != nil; cell = cell.NextSibling() {
		var words strings.Builder
		_ = ast.Walk(cell, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if text, ok := n.(*ast.Text); ok && entering {
				words.Write(text.Value(source))
			}
			return ast.WalkContinue, nil
		})
		if words.Len() > 0 {
			cells = append(cells, stdhtml.UnescapeString(words.String()))
		}
	}
	return strings.Join(cells, ", ")
}

// allowTableBox lets the box of a table through.
func allowTableBox(p *bluemonday.Policy) {
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^table$`)).OnElements("div")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^region$`)).OnElements("div")
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("div")
	p.AllowAttrs("aria-label").OnElements("div")
}
