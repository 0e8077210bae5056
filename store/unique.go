package store

import (
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// takenBy is *InvalidError where somebody else came first with a value that is
// unique, and err itself otherwise.
func takenBy(err error, field string) error {
	if isUnique(err) {
		return &InvalidError{Fields: map[string]Problem{field: Taken}}
	}
	return err
}

// isUnique reports that a value is there already that may be there once.
func isUnique(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
	}
	return pgCode(err) == codeUnique
}
