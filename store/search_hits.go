package store

import (
	"context"
	"database/sql"
	"fmt"
)

// readHits reads what a page shows of results. What was deleted a moment ago is
// left out.
func (s *Store) readHits(ctx context.Context, text searchText, all []ranked) ([]SearchHit, error) {
	if len(all) == 0 {
		return nil, nil
	}
	var posts, comments []int64
	for _, f := range all {
		posts = append(posts, f.place.PostID)
		if f.comment != 0 {
			comments = append(comments, f.comment)
		}
	}
	wholePosts, err := s.readPosts(ctx, posts)
	if err != nil {
		return nil, err
	}
	said, err := s.readComments(ctx, comments)
	if err != nil {
		return nil, err
	}
	var hits []SearchHit
	for _, f := range all {
		post, there := wholePosts[f.place.PostID]
		comment, spoken := said[f.comment]
		if there && spoken == (f.comment != 0) {
			hits = append(hits, newHit(text, f.place, post, comment))
		}
	}
	return hits, nil
}

// newHit shows where the text is.
func newHit(text searchText, place SearchPlace, p Post, c Comment) SearchHit {
	body := p.Body
	if c.ID != 0 {
		body = c.Body
	}
	hit := SearchHit{Place: place, Post: p, Comment: c, Title: markAll(text, p.Title), Excerpt: excerpt(text, plainText(body))}
	hit.Post.Body, hit.Comment.Body = "", ""
	return hit
}

func (s *Store) readPosts(ctx context.Context, ids []int64) (map[int64]Post, error) {
	list, args := inList(1, ids)
	rows, err := s.readers.QueryContext(ctx, fmt.Sprintf(
		`SELECT p.id, p.author_id, u.nickname, p.title, p.body, p.views, p.likes, p.comments, p.created_at, p.edited_at
		 FROM posts AS p JOIN users AS u ON u.id = p.author_id
		 WHERE p.deleted_at IS NULL AND p.id IN %s`, list), args...)
	if err != nil {
		return nil, err
	}
	posts := map[int64]Post{}
	err = eachRow(rows, func() error {
		var p Post
		var created int64
		var edited sql.NullInt64
		err := rows.Scan(&p.ID, &p.AuthorID, &p.Author, &p.Title, &p.Body, &p.Views, &p.Likes, &p.Comments, &created, &edited)
		p.CreatedAt, p.EditedAt = fromMillis(created), fromNullMillis(edited)
		posts[p.ID] = p
		return err
	})
	return posts, err
}

func (s *Store) readComments(ctx context.Context, ids []int64) (map[int64]Comment, error) {
	comments := map[int64]Comment{}
	if len(ids) == 0 {
		return comments, nil
	}
	list, args := inList(1, ids)
	all, err := s.listComments(ctx, `SELECT `+commentColumns+` WHERE c.deleted_at IS NULL AND c.id IN `+list, args...)
	for _, c := range all {
		comments[c.ID] = c
	}
	return comments, err
}
