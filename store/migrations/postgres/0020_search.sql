-- The words of what can be found, by the numbers of posts and comments. The
-- program makes the words.
CREATE TABLE post_words (
	id    BIGINT   PRIMARY KEY,
	words TSVECTOR NOT NULL
);

CREATE TABLE comment_words (
	id    BIGINT   PRIMARY KEY,
	words TSVECTOR NOT NULL
);

CREATE INDEX post_words_words    ON post_words    USING gin (words) WITH (fastupdate = off);
CREATE INDEX comment_words_words ON comment_words USING gin (words) WITH (fastupdate = off);

-- There until the texts from before are in it.
INSERT INTO settings (name, value) SELECT 'search', 'filling' WHERE EXISTS (SELECT 1 FROM posts);
