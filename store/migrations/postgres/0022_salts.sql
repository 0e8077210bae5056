-- The password of a member who changes the address, hashed with the salt of the
-- new one; '' once the change is over.
ALTER TABLE email_changes ADD COLUMN password_hash TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE INDEX email_changes_hash ON email_changes (email_key, id) WHERE password_hash <> '';

-- Addresses that a sign-up was corrected to, whose logins cost more until then.
CREATE TABLE corrected_addresses (
	who     BYTEA  PRIMARY KEY, -- keyed hash of the address
	ends_at BIGINT NOT NULL
);

CREATE INDEX corrected_addresses_ends ON corrected_addresses (ends_at);
