package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ownTablesSQL ends a statement about the tables of the board, named c. The
// words of search are made anew from what is copied: each database has them in
// its own way.
const ownTablesSQL = ` AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
	AND c.relkind = 'r' AND c.relname NOT IN ('schema_version', 'post_words', 'comment_words') `

const columnsSQL = `SELECT c.relname, a.attname, a.attidentity <> '',
		EXISTS (SELECT 1 FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey))
	FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
	WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''` + ownTablesSQL + `ORDER BY c.relname, a.attnum`

const referencesSQL = `SELECT c.relname, p.relname FROM pg_constraint AS k
	JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS p ON p.oid = k.confrelid
	WHERE k.contype = 'f' AND c.oid <> p.oid` + ownTablesSQL

// targetTables reads the tables of a board from the schema itself, so that one
// that a later version adds is not forgotten. Each comes after those it refers to.
func targetTables(ctx context.Context, q querier) ([]copyTable, error) {
	tables, err := readTables(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	references, err := readReferences(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return inOrder(tables, references)
}

func readTables(ctx context.Context, q querier) (tables []copyTable, err error) {
	rows, err := q.QueryContext(ctx, columnsSQL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var table, column string
		var id, key bool
		if err := rows.Scan(&table, &column, &id, &key); err != nil {
			return nil, err
		}
		if n := len(tables); n == 0 || tables[n-1].name != table {
			tables = append(tables, copyTable{name: table})
		}
		t := &tables[len(tables)-1]
		t.columns = append(t.columns, column)
		if key {
			t.keys = append(t.keys, column)
		}
		if id {
			t.id = column
		}
	}
	return tables, rows.Err()
}

// readReferences returns which tables each table refers to.
func readReferences(ctx context.Context, q querier) (to map[string][]string, err error) {
	rows, err := q.QueryContext(ctx, referencesSQL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	to = map[string][]string{}
	for rows.Next() {
		var table, parent string
		if err := rows.Scan(&table, &parent); err != nil {
			return nil, err
		}
		to[table] = append(to[table], parent)
	}
	return to, rows.Err()
}

// inOrder puts each table after those it refers to.
func inOrder(tables []copyTable, references map[string][]string) (ordered []copyTable, err error) {
	placed := map[string]bool{}
	for len(tables) > 0 {
		next := slices.IndexFunc(tables, func(t copyTable) bool {
			return !slices.ContainsFunc(references[t.name], func(parent string) bool { return !placed[parent] })
		})
		if next < 0 {
			return nil, errors.New("tables refer to each other in a circle")
		}
		placed[tables[next].name] = true
		ordered = append(ordered, tables[next])
		tables = slices.Delete(tables, next, next+1)
	}
	return ordered, nil
}
