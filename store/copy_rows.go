package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// copyTable is a table with all that a copy has to know of it.
type copyTable struct {
	name    string
	columns []string
	keys    []string // the columns of the primary key
	id      string   // the column for which the database gives numbers, "" for none
}

// list writes the columns for a statement, in double quotes as both databases
// take them.
func (t copyTable) list() string { return `"` + strings.Join(t.columns, `", "`) + `"` }

// selectSQL reads all of the table.
func (t copyTable) selectSQL() string {
	return `SELECT ` + t.list() + ` FROM "` + t.name + `"`
}

// rowReader reads rows one by one.
type rowReader struct {
	rows   *sql.Rows
	values []any
	places []any
}

func newRowReader(rows *sql.Rows, t copyTable) *rowReader {
	r := &rowReader{rows: rows, values: make([]any, len(t.columns)), places: make([]any, len(t.columns))}
	for i := range r.values {
		r.places[i] = &r.values[i]
	}
	return r
}

// next reads a row into values; false at the end or after an error.
func (r *rowReader) next() (bool, error) {
	if !r.rows.Next() {
		return false, r.rows.Err()
	}
	if err := r.rows.Scan(r.places...); err != nil {
		return false, err
	}
	for i, value := range r.values {
		if b, ok := value.([]byte); ok && b == nil {
			r.values[i] = []byte{} // no bytes; nil would become NULL
		}
	}
	return true, nil
}

// content is how many rows there are and a sum over all their values, which
// does not depend on their order.
type content struct {
	rows int64
	sum  uint64
}

// add takes in a row. A value is told from every other by its type and length.
// The hash must be the same one for all that is compared.
func (c *content) add(values []any, h *maphash.Hash) error {
	h.Reset()
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			writePart(h, 'n', nil)
		case int64:
			writePart(h, 'i', binary.BigEndian.AppendUint64(nil, uint64(v))) //nolint:gosec // the same bits
		case string:
			writePart(h, 't', []byte(v))
		case []byte:
			writePart(h, 'b', v)
		default:
			return fmt.Errorf("a value of type %T", v)
		}
	}
	c.rows++
	c.sum += h.Sum64()
	return nil
}

func writePart(h *maphash.Hash, kind byte, part []byte) {
	_ = h.WriteByte(kind) // never fails
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
	_, _ = h.Write(part)
}

// copyStream hands the rows of a table over one by one. It implements
// pgx.CopyFromSource.
type copyStream struct {
	table copyTable
	rows  *rowReader
	of    int64
	tell  CopyProgress
	hash  *maphash.Hash
	sent  content
	err   error
}

// copyStep is how many rows pass between two words of progress.
const copyStep = 50_000

// Next reads the next row.
func (s *copyStream) Next() bool {
	if s.err != nil {
		return false
	}
	more, err := s.rows.next()
	if err == nil && more {
		if err = s.check(); err == nil {
			err = s.sent.add(s.rows.values, s.hash)
		}
	}
	if err != nil {
		s.err = fmt.Errorf("table %s: %w", s.table.name, err)
	}
	if more && s.sent.rows%copyStep == 0 && s.sent.rows < s.of {
		s.report()
	}
	return more && s.err == nil
}

// Values returns the row.
func (s *copyStream) Values() ([]any, error) { return s.rows.values, nil }

// Err returns what ended the rows too early.
func (s *copyStream) Err() error { return s.err }

func (s *copyStream) report() {
	if s.tell != nil {
		s.tell(s.table.name, s.sent.rows, s.of)
	}
}

// check names the row that PostgreSQL would not take. No way into the board
// lets such a text pass; a hand that edits the file might.
func (s *copyStream) check() error {
	for i, value := range s.rows.values {
		text, ok := value.(string)
		switch {
		case !ok:
		case strings.ContainsRune(text, 0):
			return fmt.Errorf("%s of the row %s holds U+0000, which PostgreSQL cannot keep; take it out first", s.table.columns[i], s.row())
		case !utf8.ValidString(text):
			return fmt.Errorf("%s of the row %s is not UTF-8, which PostgreSQL cannot keep; mend it first", s.table.columns[i], s.row())
		}
	}
	return nil
}

// row names the row by its key.
func (s *copyStream) row() string {
	var words []string
	for i, value := range s.rows.values {
		if !slices.Contains(s.table.keys, s.table.columns[i]) {
			continue
		}
		if b, ok := value.([]byte); ok {
			value = fmt.Sprintf("x'%x'", bytes.Clone(b))
		}
		words = append(words, fmt.Sprintf("%s = %v", s.table.columns[i], value))
	}
	return strings.Join(words, ", ")
}

// readContent reads all rows of a table.
func readContent(ctx context.Context, q querier, t copyTable, hash *maphash.Hash) (c content, err error) {
	rows, err := q.QueryContext(ctx, t.selectSQL())
	if err != nil {
		return content{}, err
	}
	defer func() { _ = rows.Close() }()
	reader := newRowReader(rows, t)
	for {
		more, err := reader.next()
		if err != nil || !more {
			return c, err
		}
		if err := c.add(reader.values, hash); err != nil {
			return content{}, err
		}
	}
}
