package store_test

import (
	"strings"
	"testing"

	"madang/store"
)

// explain returns how the database would answer a statement.
func explain(t testing.TB, s *store.Store, query string, args ...any) string {
	t.Helper()
	command, columns := "EXPLAIN QUERY PLAN ", 4
	if s.OnPostgres() {
		command, columns = "EXPLAIN ", 1
	}
	rows, err := s.Readers().QueryContext(t.Context(), command+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan strings.Builder
	row := make([]any, columns)
	var detail string
	for i := range row {
		row[i] = new(any)
	}
	row[columns-1] = &detail
	for rows.Next() {
		if err := rows.Scan(row...); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(detail + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

// readsAll reports whether a plan walks through a whole table.
func readsAll(plan, table string) bool {
	return strings.Contains(plan, "SCAN "+table) || strings.Contains(plan, "Seq Scan on "+table)
}
