-- The built-in mailbox: what would have gone to a mail server.
CREATE TABLE mailbox (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	recipient     TEXT    NOT NULL,
	recipient_key TEXT    NOT NULL, -- canonical address
	subject       TEXT    NOT NULL,
	text          TEXT    NOT NULL,
	html          TEXT    NOT NULL,
	link          TEXT    NOT NULL,
	code          TEXT    NOT NULL,
	at            INTEGER NOT NULL
) STRICT;

CREATE INDEX mailbox_recipient ON mailbox (recipient_key, id);
CREATE INDEX mailbox_at        ON mailbox (at);
