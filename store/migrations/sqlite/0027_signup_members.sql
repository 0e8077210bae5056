-- Who came by a verified sign-up; null before, and where it cannot be told any
-- more. Addresses change hands, so they do not tell.
ALTER TABLE signups ADD COLUMN user_id INTEGER;

CREATE INDEX signups_user ON signups (user_id) WHERE user_id IS NOT NULL;

-- Both were written in one moment, 30 days apart: the end of the sign-up, and
-- the beginning of the member.
UPDATE signups SET user_id = (SELECT MIN(u.id) FROM users AS u
	WHERE u.created_at BETWEEN signups.ends_at - 2592000000 - 1000 AND signups.ends_at - 2592000000 + 1000
	AND (u.email_key = signups.email_key OR EXISTS (SELECT 1 FROM email_changes AS c
		WHERE c.user_id = u.id AND c.old_key = signups.email_key AND c.state = 'proven')))
WHERE state = 'verified' AND email_key <> '';
