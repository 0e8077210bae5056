package views

import "madang/store"

// headTitle is the title of the window. It tells of a failed form first, for
// those who hear the page.
func (p Page) headTitle(title string) string {
	if title != p.Site.Name {
		title += " · " + p.Site.Name
	}
	if len(p.Problems) > 0 {
		return p.Word("title.error", title)
	}
	return title
}

func (p Page) admin() bool { return p.User.Role == store.Admin }

func (p Page) noticeWords() string {
	args := make([]any, len(p.Notice.Args))
	for i, arg := range p.Notice.Args {
		args[i] = arg
	}
	return p.Word(p.Notice.Key, args...)
}
