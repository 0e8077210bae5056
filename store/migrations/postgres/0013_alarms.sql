-- What is out of order now: one row for each kind of fault.
CREATE TABLE alarms (
	kind    TEXT COLLATE "C" PRIMARY KEY,
	since   BIGINT           NOT NULL,
	seen_at BIGINT           NOT NULL, -- the last time it was found so
	reason  TEXT COLLATE "C" NOT NULL
);
