package store

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// seedTexts holds what is said on a seeded board, a file for each topic and
// language: named lists of lines. {x} stands for the thing a post is about.
//
//go:embed seed/*.txt
var seedTexts embed.FS

// seedTopic is a file of texts and those who write about it.
type seedTopic struct {
	members                                  []int // places in seedMembers
	things, titles, openings, lines, closing []string
	blocks                                   []string // Markdown of several lines
	comments                                 []seedRemark
}

// seedRemark is a comment and, often, what the author of the post answers.
type seedRemark struct{ text, answer string }

type seedText struct{ title, body string }

func seedTopics() ([]seedTopic, error) {
	var topics []seedTopic
	for _, lang := range []string{"ko", "en"} {
		for _, name := range []string{"reading", "server", "recipes", "hiking", "code"} {
			raw, err := seedTexts.ReadFile("seed/" + name + "." + lang + ".txt")
			if err != nil {
				return nil, fmt.Errorf("texts: %w", err)
			}
			topic := parseSeedTopic(string(raw))
			for i, m := range seedMembers() {
				if m.lang == lang {
					topic.members = append(topic.members, i)
				}
			}
			topics = append(topics, topic)
		}
	}
	return topics, nil
}

func parseSeedTopic(raw string) seedTopic {
	lists := map[string][]string{}
	for part := range strings.SplitSeq(raw, "=== ") {
		name, text, _ := strings.Cut(part, "\n")
		between := "\n"
		if name == "blocks" {
			between = "\n%%\n"
		}
		lists[name] = strings.Split(strings.TrimSpace(text), between)
	}
	topic := seedTopic{
		things: lists["things"], titles: lists["titles"], openings: lists["openings"],
		lines: lists["lines"], blocks: lists["blocks"], closing: lists["closings"],
	}
	for _, line := range lists["comments"] {
		text, answer, _ := strings.Cut(line, " => ")
		topic.comments = append(topic.comments, seedRemark{text, answer})
	}
	return topic
}

// post is the n-th post of a topic: no two have the same title.
func (t seedTopic) post(n int, dice *rand.Rand) seedText {
	thing := t.things[n%len(t.things)]
	round := n / len(t.things)
	title := t.titles[(n+3*round)%len(t.titles)]
	return seedText{
		title: startWithCapital(strings.ReplaceAll(title, "{x}", thing)),
		body:  strings.ReplaceAll(t.body(dice), "{x}", thing),
	}
}

// body puts paragraphs and blocks together in one of a few shapes.
func (t seedTopic) body(dice *rand.Rand) string {
	lines, blocks := dice.Perm(len(t.lines)), dice.Perm(len(t.blocks))
	paragraph := func(n int) string {
		var said []string
		for _, i := range lines[:n] {
			said = append(said, t.lines[i])
		}
		lines = lines[n:]
		return strings.Join(said, " ")
	}
	parts := []string{t.openings[dice.IntN(len(t.openings))], paragraph(2 + dice.IntN(3))}
	switch dice.IntN(5) {
	case 0: // a short one
	case 1:
		parts = append(parts, t.blocks[blocks[0]], paragraph(3), t.blocks[blocks[1]], paragraph(2))
	default:
		parts = append(parts, t.blocks[blocks[0]], paragraph(2+dice.IntN(3)))
	}
	parts = append(parts, t.closing[dice.IntN(len(t.closing))])
	return strings.Join(parts, "\n\n") + "\n"
}

func startWithCapital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
