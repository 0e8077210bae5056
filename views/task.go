package views

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// taskLabel holds the box of a task and its words, so that the box is called by
// them.
type taskLabel struct{ ast.BaseInline }

var kindTaskLabel = ast.NewNodeKind("TaskLabel") //nolint:gochecknoglobals // as goldmark wants it

// Kind is how goldmark tells nodes apart.
func (*taskLabel) Kind() ast.NodeKind { return kindTaskLabel }

// Dump shows the node to a programmer.
func (l *taskLabel) Dump(source []byte, level int) { ast.DumpHelper(l, source, level, nil, nil) }

// labelTask puts a label around everything that stands in the paragraph of a
// box.
func labelTask(box ast.Node) {
	paragraph, label := box.Parent(), &taskLabel{}
	moveChildren(paragraph, func(child ast.Node) { label.AppendChild(label, child) })
	paragraph.AppendChild(paragraph, label)
}

// taskBox renders the label of a task.
type taskBox struct{}

// RegisterFuncs tells how a label is rendered.
func (taskBox) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindTaskLabel, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<label>")
		} else {
			_, _ = w.WriteString("</label>")
		}
		return ast.WalkContinue, nil
	})
}

// allowTasks lets the boxes of tasks and their labels through.
func allowTasks(p *bluemonday.Policy) {
	p.AllowNoAttrs().OnElements("label")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").Matching(regexp.MustCompile(`^$`)).OnElements("input")
}
