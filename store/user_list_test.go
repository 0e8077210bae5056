package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// join makes a member of that name, whose address is as given.
func join(t *testing.T, s *store.Store, email, nickname string) {
	t.Helper()
	n := store.NewAdmin{Email: email, Nickname: nickname, Name: "Name", Password: storetest.Password}
	if _, err := s.CreateAdmin(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// nicknames lists who stands on a page of the list.
func nicknames(t *testing.T, s *store.Store, q store.MemberQuery) []string {
	t.Helper()
	q.Limit = 50
	list, err := s.Members(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, m := range list.Members {
		names = append(names, m.Nickname)
	}
	return names
}

func TestMembersAreFoundByAPartOfTheNicknameOrTheAddress(t *testing.T) {
	s := storetest.New(t)
	join(t, s, "Kim.Min@Example.com", "마당지기")
	join(t, s, "me@bücher.example", "Straße_1")
	join(t, s, "a%b@example.org", "percent")
	for text, want := range map[string][]string{
		"":                        {"percent", "Straße_1", "마당지기"},
		"마당":                      {"마당지기"},
		"지기":                      {"마당지기"},
		"마":                       {"마당지기"},
		"ㅁ":                       {},
		"STRASSE":                 {"Straße_1"},
		"ｓｔｒ":                     {"Straße_1"}, // full width
		"min@EXAMPLE":             {"마당지기"},
		"example":                 {"percent", "Straße_1", "마당지기"},
		"bücher":                  {"Straße_1"},
		"xn--bcher-kva":           {"Straße_1"},
		"%":                       {"percent"},
		"_":                       {"Straße_1"},
		`\`:                       {},
		"' OR '1'='1":             {},
		"%%":                      {},
		"\ufffd":                  {},
		strings.Repeat("e", 1000): {},
		strings.Repeat("%", 254):  {},
	} {
		if diff := cmp.Diff(want, nicknames(t, s, store.MemberQuery{Text: text})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestMembersAreNarrowedByRoleAndState(t *testing.T) {
	s := storetest.New(t)
	admin, moderator, member := storetest.Admin(t, s), storetest.Moderator(t, s), storetest.Member(t, s)
	gone := storetest.Member(t, s)
	if err := s.Disable(t.Context(), admin.ID, gone.ID); err != nil {
		t.Fatal(err)
	}
	for q, want := range map[store.MemberQuery][]string{
		{}:                      {gone.Nickname, member.Nickname, moderator.Nickname, admin.Nickname},
		{Role: store.Admin}:     {admin.Nickname},
		{Role: store.Moderator}: {moderator.Nickname},
		{Role: store.Member}:    {gone.Nickname, member.Nickname},
		{Role: "nobody"}:        {},
		{State: store.Disabled}: {gone.Nickname},
		{State: store.Active}:   {member.Nickname, moderator.Nickname, admin.Nickname},
		{State: "asleep"}:       {},
		{Role: store.Member, State: store.Active}:      {member.Nickname},
		{Role: store.Admin, State: store.Disabled}:     {},
		{Role: store.Member, Text: gone.Nickname}:      {gone.Nickname},
		{State: store.Active, Text: gone.Nickname}:     {},
		{Role: store.Moderator, Text: member.Nickname}: {},
	} {
		if diff := cmp.Diff(want, nicknames(t, s, q)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", q, diff)
		}
	}
}

func TestThePagesOfTheListOfMembersJoin(t *testing.T) {
	s := storetest.New(t)
	var all []int64
	for range 5 {
		all = append([]int64{storetest.Member(t, s).ID}, all...)
	}
	page := func(q store.MemberQuery) (ids []int64, list store.MemberList) {
		q.Limit = 2
		list, err := s.Members(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Members {
			ids = append(ids, m.ID)
		}
		return ids, list
	}
	for _, c := range []struct {
		q            store.MemberQuery
		want         []int64
		newer, older bool
	}{
		{store.MemberQuery{}, all[:2], false, true},
		{store.MemberQuery{Before: all[1]}, all[2:4], true, true},
		{store.MemberQuery{Before: all[3]}, all[4:], true, false},
		{store.MemberQuery{Before: all[4]}, nil, true, false},
		{store.MemberQuery{After: all[4]}, all[2:4], true, true},
		{store.MemberQuery{After: all[2]}, all[:2], false, true},
		{store.MemberQuery{After: all[0]}, nil, false, true},
		{store.MemberQuery{Before: all[2], After: all[4]}, all[3:], true, false},
	} {
		ids, list := page(c.q)
		if !cmp.Equal(ids, c.want) || list.Newer != c.newer || list.Older != c.older {
			t.Errorf("%+v: %v newer %v older %v, want %+v", c.q, ids, list.Newer, list.Older, c)
		}
	}
}

func TestAMemberWasLastSeenWhenASessionSaysSo(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u := storetest.Member(t, s)
	if m, err := s.MemberByID(t.Context(), u.ID); err != nil || !m.SeenAt.IsZero() || m.Disabled() {
		t.Errorf("before any session: %+v, %v", m, err)
	}
	for _, token := range []string{"first", "second"} {
		clock.Advance(time.Hour)
		save(t, s.Sessions(), store.Session{Token: token, UserID: u.ID, Data: []byte{}, ExpiresAt: clock.Now().Add(time.Hour)})
	}
	list, err := s.Members(t.Context(), store.MemberQuery{Limit: 1})
	if err != nil || len(list.Members) != 1 || !list.Members[0].SeenAt.Equal(clock.Now().Truncate(time.Millisecond)) {
		t.Errorf("seen %+v at %s, %v", list.Members, clock.Now(), err)
	}
	if _, err := s.MemberByID(t.Context(), 99999); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
}

// manyMembers fills the table with so many, of whom every tenth is disabled.
func manyMembers(t testing.TB, s *store.Store, members int) {
	t.Helper()
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO users (email, email_key, nickname, nickname_key, name, password_hash, role, lang, created_at, disabled_at)
		SELECT 'm' || i || '@example.com', 'm' || i || '@example.com', 'member' || i, 'member' || i, 'Name', 'x',
		CASE WHEN i % 1000 = 0 THEN 'moderator' ELSE 'member' END, 'ko', i, CASE WHEN i % 10 = 0 THEN i END FROM n`, members)
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheListOfMembersIsReadByItsIndexes(t *testing.T) {
	s := storetest.New(t)
	manyMembers(t, s, 5000)
	if err := s.Exec(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	for _, q := range []store.MemberQuery{{}, {Role: store.Member}, {State: store.Disabled}, {Role: store.Moderator, State: store.Active}} {
		query, args := store.MembersSQL(q)
		if plan := explain(t, s, query, args...); readsAll(plan, "users") {
			t.Errorf("%+v:\n%s", q, plan)
		}
	}
}

// BenchmarkMembers is a page of the list of members, of a small board and of
// one with 100,000: the newest, one in the middle, the disabled ones, and one
// nickname among all.
func BenchmarkMembers(b *testing.B) {
	for _, members := range []int{100, 100_000} {
		s := storetest.New(b)
		manyMembers(b, s, members)
		for name, q := range map[string]store.MemberQuery{
			"newest": {}, "middle": {Before: int64(members / 2)}, "disabled": {State: store.Disabled}, "search": {Text: "member77"},
		} {
			q.Limit = 50
			b.Run(fmt.Sprintf("%s of %d", name, members), func(b *testing.B) {
				for b.Loop() {
					if list, err := s.Members(b.Context(), q); err != nil || len(list.Members) == 0 {
						b.Fatal(len(list.Members), err)
					}
				}
			})
		}
	}
}
