package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testNames are all tests of the module.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range function.FindAllSubmatch(text, -1) {
			names[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestEachPromiseIsShownByATest(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := testNames(t, root)
	for section, least := range map[string]int{"What we promise": 50, "Accessibility": 15} {
		promises := promisesOf(string(text), section)
		for promise, shown := range promises {
			if len(shown) == 0 {
				t.Errorf("nothing shows that%s", promise)
			}
			for _, name := range shown {
				if !names[strings.Trim(name, "`")] {
					t.Errorf("there is no test %s", name)
				}
			}
		}
		if len(promises) < least {
			t.Errorf("%s: %d promises", section, len(promises))
		}
	}
}

// promisesOf are the promises in the table of a section, and what shows them.
func promisesOf(text, section string) map[string][]string {
	_, text, _ = strings.Cut(text, "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	promises := map[string][]string{}
	for row := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(row, "|\n"), "|")
		if !strings.HasPrefix(row, "| ") || strings.HasPrefix(row, "| **") || strings.TrimSpace(cells[0]) == "promise" {
			continue
		}
		promises[cells[0]] = strings.Fields(strings.Join(cells[1:], " "))
	}
	return promises
}
