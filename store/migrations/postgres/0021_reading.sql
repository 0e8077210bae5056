-- The comments under a post in the order they are shown: by thread, then by
-- number. An answer to what is gone begins a thread of its own.
UPDATE comments SET parent_id = NULL WHERE parent_id IN (SELECT id FROM comments WHERE deleted_at IS NOT NULL);
CREATE INDEX comments_shown ON comments (post_id, COALESCE(parent_id, id), id) WHERE deleted_at IS NULL;

-- What a member wrote.
CREATE INDEX posts_author    ON posts (author_id, id)    WHERE deleted_at IS NULL;
CREATE INDEX comments_author ON comments (author_id, id) WHERE deleted_at IS NULL;

-- The posts that members have opened in the last weeks.
CREATE TABLE read_marks (
	user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	post_id    BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
	comment_id BIGINT NOT NULL, -- the newest one of the post at that time, 0 for none
	day        BIGINT NOT NULL, -- when it was opened last, as in post_days
	PRIMARY KEY (user_id, post_id)
);

CREATE INDEX read_marks_day ON read_marks (day);
