package views

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// mentionLink is a mention in a text. It is no [ast.Link], since such a one
// would take from the link around it all that makes it a link.
type mentionLink struct {
	ast.BaseInline
	path string
}

var mentionKind = ast.NewNodeKind("Mention") //nolint:gochecknoglobals // as goldmark wants it

// Kind tells goldmark which nodes these are.
func (*mentionLink) Kind() ast.NodeKind { return mentionKind }

// Dump writes the node for whoever looks at a tree.
func (m *mentionLink) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"Path": m.path}, nil)
}

// mentionBox writes mentions as links, but where they stand in one already.
type mentionBox struct{}

// RegisterFuncs tells goldmark what this renders.
func (b mentionBox) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(mentionKind, b.render)
}

func (mentionBox) render(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	mention, ok := n.(*mentionLink)
	switch {
	case !ok || inLink(n):
	case entering:
		_, _ = w.WriteString(`<a href="` + string(util.EscapeHTML(util.URLEscape([]byte(mention.path), false))) + `" class="mention" rel="nofollow ugc">`)
	default:
		_, _ = w.WriteString(`</a>`)
	}
	return ast.WalkContinue, nil
}

func inLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}
