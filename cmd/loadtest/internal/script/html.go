package script

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/dop251/goja"
)

// html is the module k6/html.
func (u *User) html() *goja.Object {
	m := u.rt.NewObject()
	set(m, "parseHTML", func(c goja.FunctionCall) goja.Value {
		return u.selection(u.document(c.Argument(0).String()).Selection)
	})
	return m
}

func (u *User) document(text string) *goquery.Document {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(text))
	if err != nil {
		u.throw("read the page: %w", err)
	}
	return doc
}

func (u *User) htmlOf(a *outcome, selector goja.Value) goja.Value {
	s := u.document(u.text(a)).Selection
	if !absent(selector) {
		s = s.Find(selector.String())
	}
	return u.selection(s)
}

// selectionKey is the hidden property in which a selection object keeps its own.
const selectionKey = "__selection"

// selection is k6's Selection over goquery's.
func (u *User) selection(s *goquery.Selection) *goja.Object {
	o := u.rt.NewObject()
	if err := o.DefineDataProperty(selectionKey, u.rt.ToValue(s), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
	u.values(o, s)
	u.moves(o, s)
	u.walks(o, s)
	return u.strict("Selection", o)
}

// values are the methods that read.
func (u *User) values(o *goja.Object, s *goquery.Selection) {
	set(o, "length", s.Length())
	set(o, "size", func(goja.FunctionCall) goja.Value { return u.rt.ToValue(s.Length()) })
	set(o, "text", func(goja.FunctionCall) goja.Value { return u.rt.ToValue(s.Text()) })
	set(o, "val", func(goja.FunctionCall) goja.Value { return u.orUndefined(fieldValue(s)) })
	set(o, "is", func(c goja.FunctionCall) goja.Value { return u.rt.ToValue(s.Is(c.Argument(0).String())) })
	set(o, "attr", func(c goja.FunctionCall) goja.Value {
		value, ok := s.Attr(c.Argument(0).String())
		if !ok && !absent(c.Argument(1)) {
			return c.Argument(1)
		}
		return u.orUndefined(value, ok)
	})
	set(o, "html", func(goja.FunctionCall) goja.Value {
		text, err := s.Html()
		return u.orUndefined(text, err == nil && s.Length() > 0)
	})
	set(o, "serializeObject", func(goja.FunctionCall) goja.Value {
		fields := u.rt.NewObject()
		for _, f := range formFields(s) {
			set(fields, f.name, f.value)
		}
		return fields
	})
}

func (u *User) orUndefined(text string, ok bool) goja.Value {
	if !ok {
		return goja.Undefined()
	}
	return u.rt.ToValue(text)
}

// moves are the methods that select from a selection.
func (u *User) moves(o *goja.Object, s *goquery.Selection) {
	for name, move := range map[string]struct {
		all func() *goquery.Selection
		by  func(string) *goquery.Selection
	}{
		"children": {s.Children, s.ChildrenFiltered},
		"contents": {s.Contents, nil},
		"first":    {s.First, nil},
		"last":     {s.Last, nil},
		"next":     {s.Next, s.NextFiltered},
		"nextAll":  {s.NextAll, s.NextAllFiltered},
		"parent":   {s.Parent, s.ParentFiltered},
		"parents":  {s.Parents, s.ParentsFiltered},
		"prev":     {s.Prev, s.PrevFiltered},
		"prevAll":  {s.PrevAll, s.PrevAllFiltered},
		"siblings": {s.Siblings, s.SiblingsFiltered},
		"closest":  {nil, s.Closest},
		"filter":   {nil, s.Filter},
		"find":     {nil, s.Find},
		"has":      {nil, s.Has},
		"not":      {nil, s.Not},
	} {
		set(o, name, func(c goja.FunctionCall) goja.Value {
			argument := c.Argument(0)
			if _, callable := goja.AssertFunction(argument); callable || len(c.Arguments) > 1 {
				return u.outside("Selection." + name + " with a function")
			}
			switch {
			case !absent(argument) && move.by != nil:
				return u.selection(move.by(argument.String()))
			case move.all != nil:
				return u.selection(move.all())
			}
			u.throw("Selection.%s: the selector is missing", name)
			return nil
		})
	}
}

// walks are the methods that go from one to the next.
func (u *User) walks(o *goja.Object, s *goquery.Selection) {
	set(o, "eq", func(c goja.FunctionCall) goja.Value { return u.selection(s.Eq(int(c.Argument(0).ToInteger()))) })
	set(o, "toArray", func(goja.FunctionCall) goja.Value {
		list := make([]any, s.Length())
		for i := range list {
			list[i] = u.selection(s.Eq(i))
		}
		return u.rt.NewArray(list...)
	})
	set(o, "map", func(c goja.FunctionCall) goja.Value {
		f, ok := goja.AssertFunction(c.Argument(0))
		if !ok {
			u.throw("Selection.map: a function is needed")
		}
		list := make([]any, s.Length())
		for i := range list {
			value, err := f(goja.Undefined(), u.rt.ToValue(i), u.selection(s.Eq(i)))
			if err != nil {
				panic(err)
			}
			list[i] = value
		}
		return u.rt.NewArray(list...)
	})
}
