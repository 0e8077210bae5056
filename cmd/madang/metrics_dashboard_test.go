package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"madang/store/storetest"
)

// grafanaBoard is as much of a dashboard as is looked at here.
type grafanaBoard struct {
	Title      string
	Panels     []grafanaPanel
	Templating struct{ List []struct{ Definition string } }
}

type grafanaPanel struct {
	ID      int
	Type    string
	Title   string
	GridPos struct{ H, W, X, Y int }
	Targets []struct{ Expr string }
}

// printedDashboard is what the command prints.
func printedDashboard(t *testing.T) (board grafanaBoard) {
	t.Helper()
	text, err := runCommand(t, "", "metrics", "dashboard")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &board); err != nil {
		t.Fatal(err)
	}
	return board
}

var (
	metricName  = regexp.MustCompile(`\b(?:madang|go|process)_[a-z_]+`)
	ofHistogram = regexp.MustCompile(`_(bucket|sum|count)$`)
)

func TestEndToEndTheDashboardAsksForWhatThereIs(t *testing.T) {
	storetest.SQLiteOnly(t) // which has all figures
	data := newData(t)
	site, figures := countedBoard(t, data)
	knownTraffic(t, data, site, 2)
	s := becomes(t, figures, 1, "madang_job_attempts_total", "kind", "verify_mail", "outcome", "done")
	asked := map[string]bool{}
	for query := range queries(printedDashboard(t)) {
		for _, name := range metricName.FindAllString(query, -1) {
			if s.families[name] == nil {
				name = ofHistogram.ReplaceAllString(name, "")
			}
			if asked[name] = true; s.families[name] == nil {
				t.Errorf("%s asks for %s, which there is not", query, name)
			}
		}
	}
	for name := range s.families {
		if strings.HasPrefix(name, "madang_") && !asked[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// queries yields all that a dashboard asks for.
func queries(board grafanaBoard) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range board.Templating.List {
			if !yield(v.Definition) {
				return
			}
		}
		for _, p := range board.Panels {
			for _, target := range p.Targets {
				if !yield(target.Expr) {
					return
				}
			}
		}
	}
}

func TestTheDashboardHasNoPanelsOnTopOfEachOther(t *testing.T) {
	board := printedDashboard(t)
	taken, ids := map[[2]int]string{}, map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || p.Title == "" || (p.Type == "row") != (len(p.Targets) == 0) {
			t.Errorf("panel %d, %q, of type %s asks for %d figures", p.ID, p.Title, p.Type, len(p.Targets))
		}
		ids[p.ID] = true
		at := p.GridPos
		for x := at.X; x < at.X+at.W; x++ {
			for y := at.Y; y < at.Y+at.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%q at column %d, row %d, where %q is", p.Title, x, y, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
	if board.Title == "" || len(board.Panels) < 10 {
		t.Errorf("%q has %d panels", board.Title, len(board.Panels))
	}
}
