package store

import (
	"strings"
	"testing"
)

func TestListsOfParametersHaveFewLengths(t *testing.T) {
	for length, want := range map[int]int{0: 0, 1: 20, 20: 20, 21: 40, 100: 100} {
		ids := make([]int64, length)
		for i := range ids {
			ids[i] = int64(i)
		}
		list, args := inList(3, ids)
		if len(args) != want || want > 0 && (!strings.HasPrefix(list, "($3,$4,") || args[want-1] != ids[length-1]) {
			t.Errorf("%d values: %d parameters, %s", length, len(args), list)
		}
	}
	if list, _ := inList(1, []string{}); list != "(NULL)" {
		t.Errorf("list of nothing: %s", list)
	}
}
