-- The posts of a day, the best of them first; the words must be those of the
-- ranking.
CREATE INDEX post_days_best ON post_days (day, (views + 5 * likes), post_id);
DROP INDEX post_days_day;

-- All that a member wrote: what was deleted too, which they can download.
DROP INDEX posts_author;
DROP INDEX comments_author;
CREATE INDEX posts_author    ON posts (author_id, id);
CREATE INDEX comments_author ON comments (author_id, id);
