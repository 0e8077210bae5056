-- The statistics of each day that is over.
CREATE TABLE days (
	day           INTEGER PRIMARY KEY, -- days since 1970-01-01 in the site's time zone
	signups       INTEGER NOT NULL,
	verifications INTEGER NOT NULL,
	mails_sent    INTEGER NOT NULL,
	mails_failed  INTEGER NOT NULL,
	posts         INTEGER NOT NULL,
	comments      INTEGER NOT NULL,
	views         INTEGER NOT NULL
) STRICT;

-- What a day is counted by.
CREATE INDEX signups_created  ON signups  (created_at);
CREATE INDEX posts_created    ON posts    (created_at);
CREATE INDEX comments_created ON comments (created_at);
