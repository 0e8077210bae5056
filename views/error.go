package views

import "fmt"

// key is the catalogue key of the page's status, of the plain failure of its
// class when there are no words for this very one.
func (p ErrorPage) key(part string) string {
	key := fmt.Sprintf("error.%d.%s", p.Status, part)
	if _, ok := p.Lang.lookup(key); ok {
		return key
	}
	if p.Status >= 500 {
		return "error.500." + part
	}
	return "error.400." + part
}
