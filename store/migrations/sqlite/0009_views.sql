-- One row for each reader of a post and day; gone two days after the day.
CREATE TABLE viewers (
	day     INTEGER NOT NULL, -- days since 1970-01-01 in the site's time zone
	post_id INTEGER NOT NULL,
	viewer  BLOB    NOT NULL,
	PRIMARY KEY (day, post_id, viewer)
) STRICT, WITHOUT ROWID;

-- The daily statistics of a post. sum(posts.views) = sum(post_days.views).
CREATE TABLE post_days (
	post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
	day     INTEGER NOT NULL,
	views   INTEGER NOT NULL DEFAULT 0,
	likes   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (post_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX post_days_day ON post_days (day);

-- The random key that turns readers of a day into viewers; gone with the day.
CREATE TABLE view_keys (
	day INTEGER PRIMARY KEY,
	key BLOB NOT NULL
) STRICT;
