package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"madang/store"
)

// prose makes texts of made-up Korean words; as in any language, few of them
// are frequent.
type prose struct {
	dice  *rand.Rand
	words []string
	often *rand.Zipf
}

func newProse() *prose {
	dice := rand.New(rand.NewPCG(1, 2))
	p := &prose{dice: dice, often: rand.NewZipf(dice, 1.1, 4, 49_999)}
	endings := []string{"", "이", "가", "을", "를", "에서", "으로", "하다", "합니다", "했습니다"}
	for range 50_000 {
		var word strings.Builder
		for range 2 + dice.IntN(3) {
			word.WriteRune('가' + rune(dice.IntN(200))*56)
		}
		p.words = append(p.words, word.String()+endings[dice.IntN(len(endings))])
	}
	return p
}

func (p *prose) text(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = p.words[p.often.Uint64()]
	}
	return strings.Join(all, " ")
}

// fill makes posts with one comment each.
func (l *library) fill(p *prose, posts int) {
	l.t.Helper()
	for done := 0; done < posts; {
		err := l.Write(l.t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
			for range 500 {
				done++
				rare := ""
				if done%1000 == 0 {
					rare = " 마당쇠"
				}
				if err := exec(ctx, `INSERT INTO posts (author_id, form_id, title, body, comments, created_at) VALUES ($1, $2, $3, $4, 1, $5)`,
					l.writer.ID, l.form(), p.text(5), p.text(30+p.dice.IntN(120))+rare+" 입니다", done); err != nil {
					return err
				}
				if err := exec(ctx, `INSERT INTO comments (post_id, author_id, form_id, body, created_at) VALUES ($1, $2, $3, $4, $5)`,
					done, l.writer.ID, l.form(), p.text(15), done); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			l.t.Fatal(err)
		}
	}
	if _, err := l.FillSearch(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	if err := l.Optimize(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

// BenchmarkSearch looks for what is rare, frequent and everywhere, on a board of
// 100,000 posts and as many comments.
func BenchmarkSearch(b *testing.B) {
	const posts = 100_000
	l, p := newLibrary(b), newProse()
	l.fill(p, posts)
	for name, query := range map[string]string{
		"none": "없는낱말", "rare": "마당쇠", "word": p.words[300], "frequent": p.words[0], "two": p.words[0] + " " + p.words[40],
		"everywhere": "니다", "syllable": "다", "phrase": fmt.Sprintf("%q", p.words[0]+" "+p.words[1]),
		"apart": "니다가다", "without": "다 -" + p.words[0], "last syllable": `"` + p.words[0] + ` 가"`,
	} {
		b.Run(name, func(b *testing.B) {
			var found store.SearchResult
			for b.Loop() {
				found = l.search(store.SearchQuery{Text: query})
			}
			b.ReportMetric(float64(found.Count), "found")
			if found.Unfinished {
				b.Error("took too long")
			}
		})
	}
}

// BenchmarkPostWithItsWords is what a post of about a screen costs, and what the
// row of it alone would.
func BenchmarkPostWithItsWords(b *testing.B) {
	l, p := newLibrary(b), newProse()
	for _, words := range []int{15, 150, 3000} {
		text := p.text(words)
		b.Run(fmt.Sprintf("%d words", words), func(b *testing.B) {
			for b.Loop() {
				l.post("title", text)
			}
		})
		b.Run(fmt.Sprintf("%d words alone", words), func(b *testing.B) {
			for b.Loop() {
				if err := l.Exec(b.Context(), `INSERT INTO posts (author_id, form_id, title, body, created_at) VALUES ($1, $2, 'title', $3, 0)`,
					l.writer.ID, l.form(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
