package views

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

// mentionsIn renders a text on a board with some members and returns where its
// mentions lead.
func mentionsIn(t *testing.T, source string) (doc *goquery.Document, links []string) {
	t.Helper()
	members := "/board\n" + strings.Join([]string{"kim", "kim_lee", "mina-k", "하늘", "李明", "x\"><script>alert(1)</script>"}, "\n")
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(shared().render(textKey{id: 1, sink: 1, source: source, mentioned: members})))
	if err != nil {
		t.Fatal(err)
	}
	doc.Find("a.mention").Each(func(_ int, a *goquery.Selection) {
		links = append(links, strings.TrimPrefix(a.AttrOr("href", "none"), "/board/users/"))
		if rel := a.AttrOr("rel", ""); rel != "nofollow ugc" {
			t.Errorf("%q: rel %q", source, rel)
		}
	})
	if n := doc.Find("a a, script").Length(); n > 0 {
		t.Errorf("%q: %d elements that have no place", source, n)
	}
	return doc, links
}

func TestMentionsBecomeLinksWhereTheyAreText(t *testing.T) {
	const sky, li = "%ED%95%98%EB%8A%98", "%E6%9D%8E%E6%98%8E"
	for source, want := range map[string][]string{
		"@kim": {"kim"}, "@KIM, @하늘님께 (@李明さん)": {"kim", sky}, "@李明": {li}, "**@kim_lee**": {"kim_lee"}, "# @mina-k": {"mina-k"},
		"| @kim |\n|---|\n| @하늘 |": {"kim", sky}, "x[^1]\n\n[^1]: @kim": {"kim"}, "- [ ] @kim": {"kim"}, "~~@kim~~ *@kim*": {"kim", "kim"},
		"@gone @kimchi a@kim a.b@kim kim@kim.com": nil, "\\@kim &#64;kim": nil, "@kim\u0301": nil, "@kim@kim": nil,
		"`@kim`": nil, "```\n@kim\n```": nil, "    @kim": nil, "<https://x.test/@kim> https://x.test/@kim www.x.test/@kim": nil,
		"@x\"><script>alert(1)</script>": nil, "<b title=\"@kim\">": {"kim"},
	} {
		if _, links := mentionsIn(t, source); !cmp.Equal(want, links) {
			t.Errorf("%q leads to %q, want %q", source, links, want)
		}
	}
}

func TestAMentionLeavesALinkThatIsAroundIt(t *testing.T) {
	for source, text := range map[string]string{
		"[@kim](https://a.test)": "@kim", "[see **@kim** there](https://a.test)": "see @kim there", "[@kim][r]\n\n[r]: https://a.test": "@kim",
		"![@kim](https://a.test)": "@kim",
	} {
		doc, links := mentionsIn(t, source)
		if a := doc.Find(`a[href="https://a.test"]`); len(links) != 0 || a.Text() != text {
			t.Errorf("%q: link of %q, mentions %q", source, a.Text(), links)
		}
	}
}
