-- The words of what can be found, by the numbers of posts and comments. The
-- program makes the words; FTS5 keeps them and not the texts.
CREATE VIRTUAL TABLE post_words    USING fts5 (words, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE comment_words USING fts5 (words, content='', contentless_delete=1, tokenize='ascii');

-- There until the texts from before are in it.
INSERT INTO settings (name, value) SELECT 'search', 'filling' WHERE EXISTS (SELECT 1 FROM posts);
