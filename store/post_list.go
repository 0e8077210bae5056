package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// Sort is the order of a list.
type Sort string

// The orders of the list page.
const (
	SortNew     Sort = "new"
	SortPopular Sort = "popular"
)

// ListQuery asks for one page of the list. At most one of Before and After is
// set; of both, Before counts.
type ListQuery struct {
	Sort   Sort
	Before int64 // posts further down the list than this id; 0: from the top
	After  int64 // posts further up the list than this id
	Limit  int
}

// PostList is one page of the list, from the top down.
type PostList struct {
	Posts []Post
	Older bool // the list goes on below
	Newer bool // the list goes on above
}

// listMax is how many posts stand on a page, whatever was asked for.
const listMax = 100

func (q ListQuery) limit() int { return min(max(q.Limit, 1), listMax) }

// Posts returns a page of the list of posts. Its cost is that of the page,
// however many posts there are.
func (s *Store) Posts(ctx context.Context, q ListQuery) (PostList, error) {
	q.Limit = q.limit()
	var list PostList
	var err error
	if q.Sort == SortPopular {
		list, err = s.popularPosts(ctx, q)
	} else {
		list, err = s.newestPosts(ctx, q)
	}
	if err != nil {
		return PostList{}, fmt.Errorf("list posts: %w", err)
	}
	return list, nil
}

func (s *Store) newestPosts(ctx context.Context, q ListQuery) (PostList, error) {
	return postPage(cutPage(q.Before, q.After, q.Limit, func(d direction, beyond int64, limit int) ([]Post, error) {
		return s.listPosts(ctx, nextPostsSQL(d), beyond, limit)
	}))
}

func postPage(p page[Post], err error) (PostList, error) {
	return PostList{Posts: p.rows, Older: p.older, Newer: p.newer}, err
}

// popularPosts cuts a page out of the ranking. A post that is not ranked, or
// no longer, has no page beside it.
func (s *Store) popularPosts(ctx context.Context, q ListQuery) (PostList, error) {
	ranked, err := s.popular.read(ctx, s.day(s.now()), s.findPopular)
	if err != nil {
		return PostList{}, err
	}
	from, to := cutRanking(ranked, q)
	if from == to {
		return PostList{}, nil
	}
	posts, err := s.postsInOrder(ctx, ranked[from:to])
	return PostList{Posts: posts, Older: to < len(ranked), Newer: from > 0}, err
}

// cutRanking returns the places between which a page lies.
func cutRanking(ranked []int64, q ListQuery) (from, to int) {
	from, to = 0, q.Limit
	if beside := cmp.Or(max(q.Before, 0), max(q.After, 0)); beside > 0 {
		at := slices.Index(ranked, beside)
		switch {
		case at < 0:
			return 0, 0
		case q.Before > 0:
			from, to = at+1, at+1+q.Limit
		default:
			from, to = max(at-q.Limit, 0), at
		}
	}
	return from, min(to, len(ranked))
}

// postsInOrder returns the posts with these ids in their order. One that was
// deleted meanwhile is left out.
func (s *Store) postsInOrder(ctx context.Context, ids []int64) ([]Post, error) {
	list, args := inList(1, ids)
	posts, err := s.listPosts(ctx, listedSQL+`WHERE p.deleted_at IS NULL AND p.id IN `+list, args...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(posts, func(a, b Post) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	return posts, nil
}

// listedSQL is what a list shows of posts: all but the body.
const listedSQL = `SELECT p.id, p.author_id, u.nickname, p.title, p.views, p.likes, p.comments, p.created_at, p.edited_at
	FROM posts AS p JOIN users AS u ON u.id = p.author_id `

// nextPostsSQL is the posts next to an id.
func nextPostsSQL(d direction) string {
	return listedSQL + `WHERE p.deleted_at IS NULL AND p.id ` + d.beyond + ` $1 ORDER BY p.id ` + d.order + ` LIMIT $2`
}

// listPosts reads the rows of one of the statements above.
func (s *Store) listPosts(ctx context.Context, query string, args ...any) (posts []Post, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p Post
		var created int64
		var edited sql.NullInt64
		err := rows.Scan(&p.ID, &p.AuthorID, &p.Author, &p.Title, &p.Views, &p.Likes, &p.Comments, &created, &edited)
		if err != nil {
			return nil, err
		}
		p.CreatedAt, p.EditedAt = fromMillis(created), fromNullMillis(edited)
		posts = append(posts, p)
	}
	return posts, rows.Err()
}
