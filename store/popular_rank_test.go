package store_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// slowRanking adds up all that was read and liked.
const slowRanking = `SELECT p.id FROM posts AS p JOIN post_days AS d ON d.post_id = p.id AND d.day > $1 - 7 AND d.day <= $1
	WHERE p.deleted_at IS NULL GROUP BY p.id HAVING SUM(d.views + 5 * d.likes) > 0
	ORDER BY SUM(d.views + 5 * d.likes) DESC, p.id DESC LIMIT 200`

func TestRankingOfManyPostsIsThatOfAllTheirDays(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	exec(t, s, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO posts (author_id, form_id, title, body, created_at, deleted_at)
		SELECT $1, CAST(i AS TEXT), 't', 'b', 0, CASE WHEN i % 11 = 0 THEN 1 END FROM n`, author.ID)
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // for tests
	often := rand.NewZipf(dice, 1.3, 3, 2000)
	today := int32(time.Now().Unix() / 86400) //nolint:gosec // a day
	for post := range 3000 {
		for range dice.IntN(4) {
			exec(t, s, `INSERT INTO post_days (post_id, day, views, likes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
				post+1, today+1-dice.Int32N(10), often.Uint64(), often.Uint64()/9)
		}
	}
	want := scanIDs(t, s, slowRanking, today)
	got, err := s.FindPopular(t.Context(), today)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 200 {
		t.Errorf("ranking of %d posts (-want +got):\n%s", len(got), diff)
	}
}

func scanIDs(t *testing.T, s *store.Store, query string, args ...any) (ids []int64) {
	t.Helper()
	rows, err := s.Readers().QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}
