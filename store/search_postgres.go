package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// This file keeps the words of texts as values of type tsvector that it writes
// itself: what PostgreSQL takes for a word depends on its locale.

// What a tsvector keeps of a word: places up to a highest one, and not more than
// so many.
const (
	placeMax  = 16383
	placesMax = 256
)

// wordsValue writes a tsvector.
func (p *postgres) wordsValue(words []indexWord) string {
	places, order := map[string][]int{}, []string{}
	fold := false
	for _, w := range words {
		known, ok := places[w.text]
		if !ok {
			order = append(order, w.text)
		}
		if w.place > 0 {
			known = append(known, w.place)
		}
		places[w.text] = known
		fold = fold || w.place > placeMax || len(known) > placesMax
	}
	var b strings.Builder
	for _, text := range order {
		at := places[text]
		if fold {
			at = foldPlaces(at)
		}
		b.WriteString(lexeme(text))
		for i, place := range at {
			b.WriteByte(":,"[min(i, 1)])
			b.WriteString(strconv.Itoa(place))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// foldPlaces fits the places of a long text into those there are, so that
// neighbours stay neighbours. A phrase may then be found that is not there, and
// none is missed.
func foldPlaces(places []int) []int {
	const fit = placesMax - 1
	var taken [placesMax + 1]bool
	for _, place := range places {
		taken[place%fit+1] = true
		if place%fit == 0 { // also behind the last
			taken[placesMax] = true
		}
	}
	var folded []int
	for place, ok := range taken {
		if ok {
			folded = append(folded, place)
		}
	}
	return folded
}

// lexeme quotes a word.
func lexeme(word string) string {
	return `'` + strings.ReplaceAll(strings.ReplaceAll(word, `\`, `\\`), `'`, `''`) + `'`
}

func (p *postgres) putWordsSQL(table string) string {
	return `INSERT INTO ` + table + ` (id, words) VALUES ($1, CAST(CAST($2 AS TEXT) AS TSVECTOR))
		ON CONFLICT (id) DO UPDATE SET words = excluded.words`
}

func (p *postgres) dropWordsSQL(table, which string) string {
	return `DELETE FROM ` + table + ` WHERE id ` + which
}

func (p *postgres) indexedSQL(table, id string) string {
	return `EXISTS (SELECT 1 FROM ` + table + ` AS w WHERE w.id = ` + id + `)`
}

// forShare keeps a row from being changed until its words are in the index.
func (p *postgres) forShare() string { return ` FOR SHARE` }

// beginSearch lets the server end what takes too long: it would go on with it
// when nobody listens any more.
func (p *postgres) beginSearch(ctx context.Context, within time.Duration) (*sql.Tx, error) {
	t, err := p.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if _, err := t.ExecContext(ctx, `SET LOCAL statement_timeout = `+inMillis(within)); err != nil {
		return nil, errors.Join(err, t.Rollback())
	}
	return t, nil
}

func (p *postgres) findSQL(table string) string {
	return `SELECT id FROM ` + table + ` WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY) ORDER BY id DESC LIMIT $2`
}

func (p *postgres) findCommentsSQL() string {
	return `SELECT w.id, c.post_id FROM (` + p.findSQL(searchedComments.words()) + `) AS w
		JOIN comments AS c ON c.id = w.id AND c.deleted_at IS NULL ORDER BY w.id DESC`
}

// findArgs has each search planned by what it looks for: a rare word is found
// by another way than a frequent one.
func (p *postgres) findArgs(match string, limit int) []any {
	return []any{pgx.QueryExecModeExec, match, limit}
}

// match writes a tsquery.
func (p *postgres) match(q searchText, sign string) string {
	all := joinTerms(q.all, sign, ` & `, tsPhrase)
	if len(q.none) == 0 {
		return all
	}
	return all + ` & !(` + joinTerms(q.none, "", ` | `, tsPhrase) + `)`
}

func tsPhrase(words []soughtWord) string {
	lexemes := make([]string, len(words))
	for i, w := range words {
		lexemes[i] = lexeme(w.text)
		if w.begins {
			lexemes[i] += `:*`
		}
	}
	return `(` + strings.Join(lexemes, ` <-> `) + `)`
}

// gaveUp reports whether an error says that a search took too long.
func (p *postgres) gaveUp(ctx context.Context, err error) bool {
	return ctx.Err() != nil || pgCode(err) == codeCancelled
}
