-- What members have begun to write: one text for each form.
CREATE TABLE drafts (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	form     TEXT    NOT NULL CHECK (form IN ('post', 'post_edit', 'comment', 'comment_edit')),
	subject  INTEGER NOT NULL, -- the post or comment that the form is about, 0 for none
	title    TEXT    NOT NULL,
	body     TEXT    NOT NULL,
	parent   INTEGER NOT NULL, -- the comment answered, 0 for none
	base_at  INTEGER NOT NULL, -- when what is edited was changed last, as its editor knew it; 0 for never
	saved_at INTEGER NOT NULL,
	UNIQUE (user_id, form, subject)
) STRICT;

CREATE INDEX drafts_saved ON drafts (saved_at);

-- For whom a kept text was written; 0 where nobody knows.
ALTER TABLE kept_texts ADD COLUMN user_id INTEGER NOT NULL DEFAULT 0;
