package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestMentionFindsTheNameInAText(t *testing.T) {
	members := map[string]bool{}
	for _, nickname := range []string{"kim", "Tomás", "하늘", "하늘이", "kim_", "mina-k", "さくら", "李明", "a1"} {
		members[store.NicknameKey(nickname)] = true
	}
	for after, want := range map[string]string{
		"kim": "kim", "KIM!": "KIM", "kim, hi": "kim", "kim.": "kim", "kimchi": "", "kims": "", "ki": "",
		"kim_": "kim_", "kim__": "kim_", "kim-": "kim", "kim-lee": "", "mina-k:": "mina-k",
		"tomás": "tomás", "toma\u0301s": "toma\u0301s",
		"하늘": "하늘", "하늘 님": "하늘", "하늘님": "하늘", "하늘님께": "하늘", "하늘은": "하늘", "하늘에게도": "하늘", "하늘이": "하늘이", "하늘이는": "하늘이",
		"하늘색": "", "하": "", "kim님": "kim", "kim은요": "kim", "さくらさん": "", "李明さん": "", "kim@example.com": "", "kim@": "",
		"": "", " kim": "", "@kim": "", "a1": "a1", strings.Repeat("가", 1000): "",
	} {
		if got := store.Mention(after, func(key string) bool { return members[key] }); got != want {
			t.Errorf("%.40q names %q, want %q", after, got, want)
		}
	}
}

func TestMentionedAreMembersAsTheyAreSpelledNow(t *testing.T) {
	s := storetest.New(t)
	one, two, left := storetest.Member(t, s), storetest.Member(t, s), storetest.Member(t, s)
	named(t, s, one, "하늘")
	named(t, s, two, "Kim")
	named(t, s, left, "gone")
	if err := s.DeleteAccount(t.Context(), store.Reentry{UserID: left.ID, Current: storetest.Password}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"@하늘님 and @KIM":          {"Kim", "하늘"},
		"mail kim@example.com":   nil,
		"x@kim":                  nil,
		"@nobody @gone":          nil,
		"(@kim)\n\n@kim":         {"Kim"},
		"no sign":                nil,
		two.Email + " " + "@kim": {"Kim"},
		strings.Repeat("@aa"+"b", 5000) + strings.Repeat("@", 5000): nil,
	} {
		got, err := s.Mentioned(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.40q (-want +got):\n%s", text, diff)
		}
	}
}

func TestThreadKnowsWhomItsTextsMention(t *testing.T) {
	s := storetest.New(t)
	author := named(t, s, storetest.Member(t, s), "writer")
	named(t, s, storetest.Member(t, s), "reader")
	post := storetest.Post(t, s, author)
	say(t, s, author, store.NewComment{PostID: post, Body: "@Reader and @writer"})
	thread, err := s.Thread(t.Context(), post)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"reader", "writer"}, thread.Mentions); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}

func TestNoTextTakesAwayTheMentionsOfOthers(t *testing.T) {
	s := storetest.New(t)
	named(t, s, storetest.Member(t, s), "kim")
	var flood strings.Builder
	for i := range 500 {
		fmt.Fprintf(&flood, "@nobody%d ", i)
	}
	got, err := s.Mentioned(t.Context(), flood.String(), flood.String()+"@kim", "hi", "well, @kim")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kim"}, got); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}
