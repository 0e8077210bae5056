package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Duration is written "1m30s", or as a number of milliseconds.
type Duration time.Duration

// UnmarshalJSON reads either form.
func (d *Duration) UnmarshalJSON(text []byte) error {
	if ms, err := strconv.ParseFloat(string(text), 64); err == nil {
		*d = Duration(ms * float64(time.Millisecond))
		return nil
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("duration %s: write it as \"1m30s\"", text)
	}
	parsed, err := parseDuration(s)
	*d = Duration(parsed)
	return err
}

var days = regexp.MustCompile(`^(\d+)d(.*)$`)

func parseDuration(s string) (time.Duration, error) {
	var whole time.Duration
	rest := s
	if m := days.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return 0, fmt.Errorf("duration %q: %w", s, err)
		}
		whole, rest = time.Duration(n)*24*time.Hour, m[2]
		if rest == "" {
			return whole, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("duration %q: write it as \"1m30s\"", s)
	}
	return whole + d, nil
}
