package store

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"
)

// seedBoard is a board as it could have grown by itself. Posts and comments
// stand in the order of their times; post, author and answers are places in
// the lists.
type seedBoard struct {
	begin    time.Time
	posts    []seedPost
	comments []seedComment
	likes    []seedLike
	views    []seedView
}

type seedPost struct {
	author      int
	title, body string
	at          time.Time
}

type seedComment struct {
	post, author int
	answers      int // -1 for none
	body         string
	at           time.Time
}

type seedLike struct {
	post, author int
	at           time.Time
}

type seedView struct {
	post   int
	viewer [16]byte
	at     time.Time
}

const (
	seedPostCount = 200
	seedSpan      = 35 * 24 * time.Hour
	// seedEcho is how long a post is talked about.
	seedEcho = 5 * 24 * time.Hour
)

// seeder makes up a board. Its dice are loaded: each board is the same.
type seeder struct {
	dice  *rand.Rand
	now   time.Time
	board seedBoard
}

func newSeedBoard(now time.Time) (seedBoard, error) {
	topics, err := seedTopics()
	if err != nil {
		return seedBoard{}, err
	}
	dice := rand.New(rand.NewPCG(2, 8)) //nolint:gosec // the same numbers each time are the point
	s := &seeder{dice: dice, now: now, board: seedBoard{begin: now.Add(-seedSpan)}}
	for place, n := range dice.Perm(seedPostCount) {
		s.post(place, topics[n%len(topics)], n/len(topics))
	}
	s.orderComments()
	return s.board, nil
}

// post makes the post at a place of the board and all that follows it.
func (s *seeder) post(place int, topic seedTopic, n int) {
	step := seedSpan / seedPostCount
	p := seedPost{
		author: topic.members[s.dice.IntN(len(topic.members))],
		at:     s.board.begin.Add(time.Duration(place)*step + s.within(step)),
	}
	text := topic.post(n, s.dice)
	p.title, p.body = text.title, text.body
	s.board.posts = append(s.board.posts, p)
	s.talk(place, p, topic)
	s.applaud(place, p)
	s.read(place, p)
}

func (s *seeder) within(d time.Duration) time.Duration {
	return time.Duration(s.dice.Int64N(int64(d)))
}

// later is a moment after another, more likely a near one, and in the past.
func (s *seeder) later(at time.Time) time.Time {
	part := s.dice.Float64()
	return at.Add(time.Duration(part * part * float64(min(seedEcho, s.now.Sub(at)))))
}

// talk lets the others of a language comment, and the author answer.
func (s *seeder) talk(place int, p seedPost, topic seedTopic) {
	for _, i := range s.dice.Perm(len(topic.comments))[:s.dice.IntN(6)] {
		author := topic.members[s.dice.IntN(len(topic.members))]
		if author == p.author {
			continue
		}
		said := seedComment{post: place, author: author, answers: -1, body: topic.comments[i].text, at: s.later(p.at)}
		s.board.comments = append(s.board.comments, said)
		if answer := topic.comments[i].answer; answer != "" && s.dice.IntN(3) > 0 {
			s.board.comments = append(s.board.comments, seedComment{
				post: place, author: p.author, answers: len(s.board.comments) - 1, body: answer, at: s.later(said.at),
			})
		}
	}
}

func (s *seeder) applaud(place int, p seedPost) {
	members := s.dice.Perm(len(seedMembers()))
	for _, author := range members[:s.dice.IntN(len(members)+1)] {
		if author != p.author {
			s.board.likes = append(s.board.likes, seedLike{post: place, author: author, at: s.later(p.at)})
		}
	}
}

func (s *seeder) read(place int, p seedPost) {
	readers := 5 + s.dice.IntN(20)
	if s.dice.IntN(8) == 0 { // some posts are passed on
		readers += 40 + s.dice.IntN(60)
	}
	for range readers {
		v := seedView{post: place, at: s.later(p.at)}
		binary.BigEndian.PutUint64(v.viewer[:], s.dice.Uint64())
		binary.BigEndian.PutUint64(v.viewer[8:], s.dice.Uint64())
		s.board.views = append(s.board.views, v)
	}
}

// orderComments sorts the comments of all posts by time, so that ids grow with
// time as they do on a real board.
func (s *seeder) orderComments() {
	old := s.board.comments
	order := make([]int, len(old))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(old[a].at.UnixNano(), old[b].at.UnixNano()) })
	place := make([]int, len(old))
	sorted := make([]seedComment, len(old))
	for i, from := range order {
		place[from], sorted[i] = i, old[from]
		if answers := sorted[i].answers; answers >= 0 {
			sorted[i].answers = place[answers] // spoken before, so placed before
		}
	}
	s.board.comments = sorted
}
