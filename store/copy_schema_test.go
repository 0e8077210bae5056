package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// A copy relies on it that both databases have the same tables and columns,
// whatever a later step of the schema adds.
func TestBothDatabasesHaveTheSameTables(t *testing.T) {
	file := storetest.File(t)
	if _, err := store.Migrate(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	server := storetest.PostgresOnce(t).Database(t)
	for what, queries := range map[string][2]string{
		"columns": {
			`SELECT t.name || '.' || c.name, CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytea' END,
				CASE WHEN c."notnull" = 0 AND c.pk = 0 THEN 'YES' ELSE 'NO' END
				FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
				WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'schema_version'`,
			`SELECT table_name || '.' || column_name, data_type, is_nullable FROM information_schema.columns
				WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'post_words', 'comment_words')`,
		},
		"columns of ids": {
			`SELECT name || '.id' FROM sqlite_schema WHERE sql LIKE '%id % INTEGER PRIMARY KEY AUTOINCREMENT%'`,
			`SELECT table_name || '.' || column_name FROM information_schema.columns
				WHERE table_schema = current_schema() AND is_identity = 'YES'`,
		},
		"references": {
			`SELECT t.name || '.' || f."from", f."table", f.on_delete FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
				WHERE t.type = 'table'`,
			`SELECT c.relname || '.' || a.attname, p.relname, CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' END
				FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS p ON p.oid = k.confrelid
				JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
				WHERE k.contype = 'f'`,
		},
	} {
		sqlite, postgres := sortedRows(t, file, queries[0]), sortedRows(t, server, queries[1])
		if diff := cmp.Diff(sqlite, postgres); diff != "" || len(sqlite) == 0 {
			t.Errorf("%s (-SQLite +PostgreSQL):\n%s", what, diff)
		}
	}
}

func sortedRows(t *testing.T, database, query string) [][]string {
	t.Helper()
	rows := storetest.Rows(t, database, query)
	slices.SortFunc(rows, slices.Compare)
	return rows
}
