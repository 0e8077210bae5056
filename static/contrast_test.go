package static

import (
	"maps"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// palettes reads the colours of the style sheet: by day, and by night.
func palettes(t *testing.T) map[string]map[string]string {
	t.Helper()
	css, err := embedded.ReadFile("files/madang.css")
	if err != nil {
		t.Fatal(err)
	}
	var found []map[string]string
	for _, block := range regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllSubmatch(css, 2) {
		colours := map[string]string{}
		for _, line := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllSubmatch(block[1], -1) {
			colours[string(line[1])] = string(line[2])
		}
		found = append(found, colours)
	}
	dark := maps.Clone(found[0])
	maps.Copy(dark, found[1])
	return map[string]map[string]string{"light": found[0], "dark": dark}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(hex, 16, 24)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func TestColoursCanBeToldApart(t *testing.T) {
	const text, outline = 4.5, 3.0
	for _, pair := range []struct {
		front string
		least float64
		backs []string
	}{
		{"ink", text, []string{"paper", "sheet", "tint", "bad-tint"}},
		{"soft", text, []string{"paper", "sheet", "tint"}},
		{"accent", text, []string{"paper", "sheet", "tint"}},
		{"accent-deep", text, []string{"paper", "sheet", "tint"}},
		{"bad", text, []string{"paper", "sheet", "tint", "bad-tint"}},
		{"word", text, []string{"paper", "sheet", "tint"}},
		{"number", text, []string{"paper", "sheet", "tint"}},
		{"called", text, []string{"paper", "sheet", "tint"}},
		{"on-accent", text, []string{"accent", "accent-deep"}},
		{"edge", outline, []string{"paper", "sheet"}},
	} {
		for scheme, colours := range palettes(t) {
			for _, back := range pair.backs {
				a, b := luminance(t, colours[pair.front]), luminance(t, colours[back])
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < pair.least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", scheme, pair.front, back, ratio, pair.least)
				}
			}
		}
	}
}
