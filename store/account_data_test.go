package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestMemberIsGivenTheSignUpUnderAnEarlierAddress(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	storetest.Member(t, s) // whose sign-up is nothing to them
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "moved@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s)); err != nil {
		t.Fatal(err)
	}
	parts := store.AccountParts()
	part := parts[slices.IndexFunc(parts, func(p store.AccountPart) bool { return p.Name == "signups" })]
	var given []any
	err := s.AccountData(t.Context(), u.ID, part, func(r store.AccountRecord) error {
		given = append(given, r["email"])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{u.Email}, given); diff != "" {
		t.Errorf("sign-ups (-want +got):\n%s", diff)
	}
}

func TestDownloadOfMuchIsReadByAnIndex(t *testing.T) {
	s := storetest.New(t)
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, author)
	exec(t, s, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO posts (author_id, form_id, title, body, created_at, deleted_at)
		SELECT CASE WHEN i % 10 = 0 THEN CAST($1 AS BIGINT) ELSE $2 END, CAST(i AS TEXT), 't', 'b', 0, CASE WHEN i % 3 = 0 THEN 1 END FROM n`,
		author.ID, other.ID)
	crowd(t, s, other, post, 3000)
	exec(t, s, `UPDATE comments SET author_id = $1 WHERE id % 10 = 0`, author.ID)
	exec(t, s, `ANALYZE`)
	for _, part := range store.AccountParts()[1:3] {
		plan := explain(t, s, part.Query(), author.ID, 10, 100)
		if !strings.Contains(plan, part.Name+"_author") || strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") {
			t.Errorf("%s are sorted anew for each step:\n%s", part.Name, plan)
		}
	}
}
