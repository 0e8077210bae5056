-- Facts about this database itself, such as the fingerprint of its key.
CREATE TABLE settings (
	name  TEXT COLLATE "C" PRIMARY KEY,
	value TEXT COLLATE "C" NOT NULL
);
