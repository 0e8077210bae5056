-- Whether the password was one that an administrator may have, as far as is
-- known: it is looked at when it is set and at each login.
ALTER TABLE users   ADD COLUMN admin_password INTEGER NOT NULL DEFAULT 0 CHECK (admin_password IN (0, 1));
ALTER TABLE signups ADD COLUMN admin_password INTEGER NOT NULL DEFAULT 0 CHECK (admin_password IN (0, 1));
