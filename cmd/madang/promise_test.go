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
	_, section, _ := strings.Cut(string(text), "\n## What we promise\n")
	section, _, _ = strings.Cut(section, "\n## ")
	names, promises := testNames(t, root), 0
	for row := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(row, "|\n"), "|")
		if !strings.HasPrefix(row, "| ") || strings.HasPrefix(row, "| **") || strings.TrimSpace(cells[0]) == "promise" {
			continue
		}
		promises++
		shown := strings.Fields(strings.Join(cells[1:], " "))
		if len(shown) == 0 {
			t.Errorf("nothing shows that%s", cells[0])
		}
		for _, name := range shown {
			if !names[strings.Trim(name, "`")] {
				t.Errorf("there is no test %s", name)
			}
		}
	}
	if promises < 50 {
		t.Errorf("%d promises", promises)
	}
}
