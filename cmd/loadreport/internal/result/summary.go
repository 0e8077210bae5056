package result

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// Summary is what the report reads of the file of k6's --summary-export.
type Summary struct {
	Users       int
	Failed      int      // requests, those to the mailbox included
	WrongChecks []string // their names
	Broken      []string // thresholds
	Counted     int      // views, where the script counts them; else -1
}

// exported is the shape of the file.
type exported struct {
	Metrics map[string]json.RawMessage `json:"metrics"`
	Root    group                      `json:"root_group"`
}

type group struct {
	Groups map[string]group `json:"groups"`
	Checks map[string]struct {
		Fails int `json:"fails"`
	} `json:"checks"`
}

// figures are those of the metrics that are read; a threshold is true when it
// was broken.
type figures struct {
	Value      float64         `json:"value"`
	Max        float64         `json:"max"`
	Passes     int             `json:"passes"`
	Thresholds map[string]bool `json:"thresholds"`
}

// ReadSummary reads it.
func ReadSummary(path string) (Summary, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the report's own file
	if err != nil {
		return Summary{}, fmt.Errorf("read the summary: %w", err)
	}
	var e exported
	if err := json.Unmarshal(text, &e); err != nil {
		return Summary{}, fmt.Errorf("read the summary in %s: %w", path, err)
	}
	s := Summary{Counted: -1, WrongChecks: e.Root.wrong()}
	for name, raw := range e.Metrics {
		var f figures
		if err := json.Unmarshal(raw, &f); err != nil {
			return Summary{}, fmt.Errorf("read %s in %s: %w", name, path, err)
		}
		s.add(name, f)
	}
	slices.Sort(s.WrongChecks)
	slices.Sort(s.Broken)
	return s, nil
}

func (s *Summary) add(name string, f figures) {
	switch name {
	case "vus":
		s.Users = int(f.Max)
	case "http_req_failed":
		s.Failed = f.Passes
	case "views_counted":
		s.Counted = int(f.Value)
	}
	for threshold, broken := range f.Thresholds {
		if broken {
			s.Broken = append(s.Broken, name+": "+threshold)
		}
	}
}

func (g group) wrong() (names []string) {
	for name, c := range g.Checks {
		if c.Fails > 0 {
			names = append(names, fmt.Sprintf("%s (%d times)", name, c.Fails))
		}
	}
	for _, sub := range g.Groups {
		names = append(names, sub.wrong()...)
	}
	return names
}
