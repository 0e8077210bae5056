-- The statistics of each day that is over.
CREATE TABLE days (
	day           BIGINT PRIMARY KEY, -- days since 1970-01-01 in the site's time zone
	signups       BIGINT NOT NULL,
	verifications BIGINT NOT NULL,
	mails_sent    BIGINT NOT NULL,
	mails_failed  BIGINT NOT NULL,
	posts         BIGINT NOT NULL,
	comments      BIGINT NOT NULL,
	views         BIGINT NOT NULL
);

-- What a day is counted by.
CREATE INDEX signups_created  ON signups  (created_at);
CREATE INDEX posts_created    ON posts    (created_at);
CREATE INDEX comments_created ON comments (created_at);
