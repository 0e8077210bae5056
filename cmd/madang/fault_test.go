package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// The tests named TestFault… do to a whole board what can happen to it: the
// process is killed, the mail server fails in every way, the database is out of
// reach. The board is a process of its own: this very test binary, told by a
// variable to be the program. People use it meanwhile and write down each
// acknowledgement they get; whatever happened, the rows must agree with what
// they and the mail server wrote down (see checkAll).
var (
	seed = flag.Uint64("seed", 0, "seed of the fault tests; 0: another one each time")
	soak = flag.Bool("soak", false, "run the fault tests many more times")
)

// beProgram is the variable that makes the test binary the program.
const beProgram = "TEST_BINARY_IS_MADANG"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		go endWithParent()
		main()
		os.Exit(0) // as it ends when main returns
	}
	if os.Getenv(beReaders) != "" {
		if err := readAsProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// endWithParent leaves no process behind when the tests are cut off.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(3)
}

// faultTest skips what takes long where that is not wanted.
func faultTest(t *testing.T) {
	t.Helper()
	if testing.Short() {
		lacks(t, "tests of faults take minutes: left out by -short")
	}
}

// rounds is how often a fault is tried: a few times in every run of the tests,
// many times in a soak.
func rounds(t *testing.T, few, many int) int {
	t.Helper()
	n := few
	if *soak {
		n = many
	}
	t.Logf("%d rounds", n)
	return n
}

// newDice returns the chance of a test, which -seed repeats.
func newDice(t *testing.T) *rand.Rand {
	t.Helper()
	chosen := *seed
	for chosen == 0 {
		chosen = rand.Uint64()
	}
	t.Logf("-seed %d", chosen)
	return rand.New(rand.NewPCG(chosen, 0))
}
