package views

// outline gives the headings of a text levels of which none is left out, below
// those of the page: who hears a page goes from heading to heading.
type outline struct {
	sink  int   // level of the heading of the page above the text
	above []int // levels in the text of the headings around
}

// next is the level of a heading that has a level in the text.
func (o *outline) next(level int) int {
	for len(o.above) > 0 && o.above[len(o.above)-1] >= level {
		o.above = o.above[:len(o.above)-1]
	}
	o.above = append(o.above, level)
	return min(o.sink+len(o.above), 6)
}
