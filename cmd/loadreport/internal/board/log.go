package board

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Log is what a board's own log says of a run.
type Log struct {
	Requests int
	Errors   int // answers with a status of 500 and more, 503 apart
	Refused  int // answers with 429 or 503
	SignUps  int // that were acknowledged
	// Busiest is the most sign-ups a second, over stretches of ten seconds from
	// the first request on.
	Busiest float64
}

const stretch = 10 * time.Second

// line is the line of a request.
type line struct {
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`
}

// ReadLog reads the log of a board that has stopped.
func ReadLog(path string) (Log, error) {
	f, err := os.Open(path) //nolint:gosec // the report's own file
	if err != nil {
		return Log{}, fmt.Errorf("read the log of the board: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	var log Log
	var first time.Time
	stretches := map[time.Duration]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte(`"msg":"request"`)) {
			continue
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return Log{}, fmt.Errorf("read the log of the board: %w in %q", err, lines.Text())
		}
		if first.IsZero() {
			first = l.Time
		}
		if log.add(l) {
			stretches[l.Time.Sub(first)/stretch]++
		}
	}
	for _, n := range stretches {
		log.Busiest = max(log.Busiest, float64(n)/stretch.Seconds())
	}
	return log, lines.Err()
}

// add counts a request and reports whether it was a sign-up.
func (log *Log) add(l line) (signUp bool) {
	log.Requests++
	switch {
	case l.Status == 429, l.Status == 503:
		log.Refused++
	case l.Status >= 500:
		log.Errors++
	}
	if l.Method == "POST" && l.Path == "/auth/signup" && (l.Status == 200 || l.Status == 303) {
		log.SignUps++
		return true
	}
	return false
}
