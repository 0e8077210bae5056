package cpu

import (
	"testing"
	"time"
)

func TestTheNameOfAProcessMayHoldAnything(t *testing.T) {
	const stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194304 1 2 3 4 150 50 7 8 20 0 9 0 100 1 2"
	if got := parse(stat); got != 2*time.Second {
		t.Errorf("%v, want 2s", got)
	}
	for _, wrong := range []string{"", "1 (a) S", "1 (a) S 1 1 1 0 -1 0 1 2 3 4 x y"} {
		if got := parse(wrong); got != 0 {
			t.Errorf("%q: %v", wrong, got)
		}
	}
}
