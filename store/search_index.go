package store

import (
	"context"
	"fmt"
)

// searched is a kind of text that search finds, with the table of the texts and
// that of their words.
type searched string

// The kinds of text.
const (
	searchedPosts    searched = "post"
	searchedComments searched = "comment"
)

func (in searched) texts() string { return string(in) + "s" }
func (in searched) words() string { return string(in) + "_words" }

// indexEntry is the words of a text as the database keeps them. It is made
// before the transaction begins: the words of a long text take some time, in
// which others would wait.
type indexEntry struct {
	in    searched
	words string
}

func (s *Store) postEntry(n NewPost) indexEntry {
	return indexEntry{searchedPosts, s.db.wordsValue(postWords(n.Title, n.Body))}
}

func (s *Store) commentEntry(body string) indexEntry {
	return indexEntry{searchedComments, s.db.wordsValue(commentWords(body))}
}

// reachableSQL is true of a text x that stands under no deleted one.
func (in searched) reachableSQL() string {
	if in == searchedPosts {
		return `TRUE`
	}
	return `EXISTS (SELECT 1 FROM comments AS c JOIN posts AS p ON p.id = c.post_id WHERE c.id = x.id AND p.deleted_at IS NULL)`
}

// holdPost keeps the post of a comment from being deleted until the words of the
// comment are in the index: who deletes it takes out those that are there. It
// returns ErrNotFound when the post is gone.
func (s *Store) holdPost(ctx context.Context, t *tx, commentID int64) error {
	var id int64
	err := t.QueryRowContext(ctx, `SELECT id FROM posts WHERE id = (SELECT post_id FROM comments WHERE id = $1)
		AND deleted_at IS NULL`+s.db.forShare(), commentID).Scan(&id)
	return notFound(err)
}

// index lets search find a text, under its new words if it had others.
func (s *Store) index(ctx context.Context, t *tx, id int64, e indexEntry) error {
	if _, err := t.ExecContext(ctx, s.db.putWordsSQL(e.in.words()), id, e.words); err != nil {
		return fmt.Errorf("index %s %d: %w", e.in, id, err)
	}
	return nil
}

// forgetPost lets search find neither a post nor what stands under it.
func (s *Store) forgetPost(ctx context.Context, t *tx, id int64) error {
	for _, statement := range []string{
		s.db.dropWordsSQL(searchedPosts.words(), `= $1`),
		s.db.dropWordsSQL(searchedComments.words(), `IN (SELECT id FROM comments WHERE post_id = $1)`),
	} {
		if _, err := t.ExecContext(ctx, statement, id); err != nil {
			return fmt.Errorf("take post %d out of the index: %w", id, err)
		}
	}
	return nil
}

// forgetComment lets search not find a comment.
func (s *Store) forgetComment(ctx context.Context, t *tx, id int64) error {
	if _, err := t.ExecContext(ctx, s.db.dropWordsSQL(searchedComments.words(), `= $1`), id); err != nil {
		return fmt.Errorf("take comment %d out of the index: %w", id, err)
	}
	return nil
}

// searchRules compare the index with the texts it is about, once all of them
// are in it.
func (s *Store) searchRules() []rule {
	const filled = ` AND NOT EXISTS (SELECT 1 FROM settings WHERE name = 'search')`
	return []rule{
		{words: "posts that search cannot find", count: `SELECT COUNT(*) FROM posts AS x WHERE ` +
			s.missingSQL(searchedPosts) + filled},
		{words: "comments that search cannot find", count: `SELECT COUNT(*) FROM comments AS x WHERE ` +
			s.missingSQL(searchedComments) + filled},
		{words: "deleted posts in the index", count: `SELECT COUNT(*) FROM posts AS x
			WHERE x.deleted_at IS NOT NULL AND ` + s.db.indexedSQL(searchedPosts.words(), `x.id`)},
		{words: "deleted comments in the index", count: `SELECT COUNT(*) FROM comments AS x
			WHERE (x.deleted_at IS NOT NULL OR NOT ` + searchedComments.reachableSQL() + `)
			AND ` + s.db.indexedSQL(searchedComments.words(), `x.id`)},
	}
}
