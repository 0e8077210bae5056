package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SearchQuery asks for one page of what is found. At most one of Before and
// After is set; of both, Before counts.
type SearchQuery struct {
	Text   string
	Before SearchPlace // results further down than this place
	After  SearchPlace // results further up than this place
	Limit  int
}

// SearchPlace is where a result stands: in the order of how well its text fits,
// then of its post, the newest first. A text that is written meanwhile moves no
// other.
type SearchPlace struct {
	Tier   int // from 1, 0 for no place
	PostID int64
}

// The tiers: where a post has what was looked for.
const (
	tierTitle    = iota + 1 // all of it in the title
	tierTogether            // side by side in title or body
	tierPost                // in title or body
	tierComment             // in a comment
)

// String writes a place so that ReadSearchPlace reads it.
func (p SearchPlace) String() string { return fmt.Sprintf("%d-%d", p.Tier, p.PostID) }

// ReadSearchPlace reads a place. It reports false for what is none.
func ReadSearchPlace(text string) (SearchPlace, bool) {
	before, after, _ := strings.Cut(text, "-")
	tier, err := strconv.Atoi(before)
	id, failed := strconv.ParseInt(after, 10, 64)
	p := SearchPlace{tier, id}
	return p, err == nil && failed == nil && tier >= tierTitle && tier <= tierComment && id > 0 && p.String() == text
}

func (p SearchPlace) compare(o SearchPlace) int {
	return cmp.Or(cmp.Compare(p.Tier, o.Tier), cmp.Compare(o.PostID, p.PostID))
}

// SearchResult is a page of what was found.
type SearchResult struct {
	Hits  []SearchHit
	Count int  // of all pages together
	More  bool // there is more than all pages hold
	Older bool // the list goes on below
	Newer bool // the list goes on above
	// Nothing is true when there is no word in the query to look for.
	Nothing bool
	// Widened is true when only longer words than those asked for were found.
	Widened bool
	// Unfinished is true when the time was up before all was looked at.
	Unfinished bool
	// Filling is true while older texts are still to be taken into the index.
	Filling bool
}

// SearchHit is a post that was found, once, by the place of its best text.
type SearchHit struct {
	Place   SearchPlace
	Post    Post    // without its body
	Comment Comment // in which it was found; ID 0: in the post itself
	Title   []Piece
	Excerpt []Piece
}

const (
	// searchMax is how many posts a search finds at most. Whoever has so many to
	// choose from adds a word.
	searchMax = 200
	// commentsMax bounds the comments that are looked at for their posts.
	commentsMax = 1000
	// searchTime is what a search may take.
	searchTime = 2 * time.Second
)

// Search finds posts by their titles, bodies and comments. All words of the
// query have to be in the same text. It takes any text for a query, and returns
// *BusyError when the database is not free to look for it.
func (s *Store) Search(ctx context.Context, q SearchQuery) (SearchResult, error) {
	found, err := s.searchWithin(ctx, q, searchTime)
	if err != nil {
		return SearchResult{}, fmt.Errorf("search: %w", err)
	}
	return found, nil
}

func (s *Store) searchWithin(ctx context.Context, q SearchQuery, within time.Duration) (SearchResult, error) {
	text := readQuery(q.Text)
	if len(text.all) == 0 {
		return SearchResult{Nothing: true}, nil
	}
	r, err := s.rank(ctx, text, within)
	if err != nil {
		return SearchResult{}, err
	}
	page := r.page(q)
	page.Hits, err = s.readHits(ctx, r.text, r.cut(q))
	if err != nil {
		return SearchResult{}, err
	}
	page.Filling, err = s.searchFilling(ctx)
	return page, err
}
