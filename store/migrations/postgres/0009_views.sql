-- One row for each reader of a post and day; gone two days after the day.
CREATE TABLE viewers (
	day     BIGINT NOT NULL, -- days since 1970-01-01 in the site's time zone
	post_id BIGINT NOT NULL,
	viewer  BYTEA  NOT NULL,
	PRIMARY KEY (day, post_id, viewer)
);

-- The daily statistics of a post. sum(posts.views) = sum(post_days.views).
CREATE TABLE post_days (
	post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
	day     BIGINT NOT NULL,
	views   BIGINT NOT NULL DEFAULT 0,
	likes   BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (post_id, day)
);

CREATE INDEX post_days_day ON post_days (day);

-- The random key that turns readers of a day into viewers; gone with the day.
CREATE TABLE view_keys (
	day BIGINT PRIMARY KEY,
	key BYTEA  NOT NULL
);
