CREATE TABLE posts (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	author_id  INTEGER NOT NULL REFERENCES users (id),
	form_id    TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	body       TEXT    NOT NULL, -- Markdown as written
	views      INTEGER NOT NULL DEFAULT 0,
	likes      INTEGER NOT NULL DEFAULT 0,
	comments   INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	edited_at  INTEGER,
	deleted_at INTEGER,
	UNIQUE (author_id, form_id)
) STRICT;

CREATE INDEX posts_live ON posts (id) WHERE deleted_at IS NULL;

CREATE TABLE likes (
	post_id    INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
	user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	day        INTEGER NOT NULL, -- the day of post_days it is counted under
	created_at INTEGER NOT NULL,
	PRIMARY KEY (post_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX likes_user ON likes (user_id);
