-- The list of members, of each role and whether they may log in, by number; who
-- left is not in it.
CREATE INDEX users_active   ON users (role, id) WHERE disabled_at IS NULL AND deleted_at IS NULL;
CREATE INDEX users_disabled ON users (role, id) WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;
