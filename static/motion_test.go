package static

import (
	"regexp"
	"strings"
	"testing"
)

// moving is what sets something in motion in a style sheet.
var moving = regexp.MustCompile(`\b(animation|transition|scroll-behavior|@view-transition)\b`)

func TestNothingMovesForWhoeverWantsItStill(t *testing.T) {
	css, err := embedded.ReadFile("files/madang.css")
	if err != nil {
		t.Fatal(err)
	}
	const wanted = "@media (prefers-reduced-motion: no-preference) {"
	blocks, moved := strings.Split(string(css), wanted), 0
	for i, block := range blocks {
		if i > 0 {
			inside, outside := braced(block)
			moved += len(moving.FindAllString(inside, -1))
			block = outside
		}
		if found := moving.FindString(block); found != "" {
			t.Errorf("%s for everybody", found)
		}
	}
	if moved == 0 {
		t.Error("nothing moves at all: look for another sign of motion")
	}
}

// braced cuts a text behind the brace that closes the one before it.
func braced(text string) (inside, outside string) {
	depth := 1
	for i, r := range text {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
