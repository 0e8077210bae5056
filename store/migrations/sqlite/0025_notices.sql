-- To whom a mail goes that tells the owner of an account what was done with it:
-- whose address it was then, not whose it has become since. The row goes with
-- the delivery.
CREATE TABLE notices (
	job_id    INTEGER PRIMARY KEY,
	email     TEXT NOT NULL,
	email_key TEXT NOT NULL,
	lang      TEXT NOT NULL
) STRICT;
