CREATE TABLE comments (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	post_id    INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
	author_id  INTEGER NOT NULL REFERENCES users (id),
	parent_id  INTEGER REFERENCES comments (id),
	form_id    TEXT    NOT NULL,
	body       TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	edited_at  INTEGER,
	deleted_at INTEGER,
	UNIQUE (author_id, form_id)
) STRICT;

CREATE INDEX comments_post ON comments (post_id, id);
