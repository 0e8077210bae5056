package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// This file keeps the words of texts in FTS5, which is handed words and only
// stores them. Its tokenizer "ascii" parts them at spaces: signs of ASCII, which
// it would part them at too, are in none of ours.

// gapWord takes the place between two texts of which no phrase is to reach over.
const gapWord = "·"

// wordsValue writes words in their order, those without a place at the end.
func (d *sqliteDB) wordsValue(words []indexWord) string {
	var placed, others strings.Builder
	last := 0
	for _, w := range words {
		if w.place == 0 {
			others.WriteString(" " + w.text)
			continue
		}
		if w.place > last+1 {
			placed.WriteString(gapWord + " ")
		}
		last = w.place
		placed.WriteString(w.text + " ")
	}
	return placed.String() + gapWord + others.String()
}

func (d *sqliteDB) putWordsSQL(table string) string {
	return `INSERT OR REPLACE INTO ` + table + ` (rowid, words) VALUES ($1, $2)`
}

func (d *sqliteDB) dropWordsSQL(table, which string) string {
	return `DELETE FROM ` + table + ` WHERE rowid ` + which
}

// indexedSQL asks whether a text is in the index, by its number.
func (d *sqliteDB) indexedSQL(table, id string) string {
	return `EXISTS (SELECT 1 FROM ` + table + `_docsize AS w WHERE w.id = ` + id + `)`
}

// forShare is not needed: there is one writer.
func (d *sqliteDB) forShare() string { return "" }

// beginSearch begins what may be cut off.
func (d *sqliteDB) beginSearch(ctx context.Context, _ time.Duration) (*sql.Tx, error) {
	return d.read.BeginTx(ctx, nil)
}

func (d *sqliteDB) findSQL(table string) string {
	return `SELECT rowid FROM ` + table + ` WHERE ` + table + ` MATCH $1 ORDER BY rowid DESC LIMIT $2`
}

// findCommentsSQL reads the index first, whatever SQLite thinks of it.
func (d *sqliteDB) findCommentsSQL() string {
	return `SELECT w.rowid, c.post_id FROM comment_words AS w CROSS JOIN comments AS c ON c.id = w.rowid
		WHERE w.words MATCH $1 AND c.deleted_at IS NULL ORDER BY w.rowid DESC LIMIT $2`
}

func (d *sqliteDB) findArgs(match string, limit int) []any { return []any{match, limit} }

// match writes what to look for in the language of FTS5.
func (d *sqliteDB) match(q searchText, sign string) string {
	all := `(` + joinTerms(q.all, sign, ` AND `, ftsPhrase) + `)`
	if len(q.none) == 0 {
		return all
	}
	return all + ` NOT (` + joinTerms(q.none, "", ` OR `, ftsPhrase) + `)`
}

func joinTerms(terms []term, sign, with string, phrase func([]soughtWord) string) string {
	phrases := make([]string, len(terms))
	for i, t := range terms {
		phrases[i] = phrase(t.words(sign))
	}
	return strings.Join(phrases, with)
}

// ftsPhrase quotes words that hold nothing to escape.
func ftsPhrase(words []soughtWord) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	phrase := `"` + strings.Join(texts, " ") + `"`
	if words[len(words)-1].begins {
		phrase += ` *`
	}
	return phrase
}

// gaveUp reports whether an error says that a search took too long.
func (d *sqliteDB) gaveUp(ctx context.Context, _ error) bool { return ctx.Err() != nil }
