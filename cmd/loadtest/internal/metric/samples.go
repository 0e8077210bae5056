package metric

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
)

// Samples writes each request as a line of CSV, as k6's --out csv does. A nil
// Samples writes nothing.
type Samples struct {
	mu sync.Mutex
	to *csv.Writer
}

// sampleTags are those of k6's columns that are known here.
func sampleTags() []string {
	return []string{"error_code", "expected_response", "group", "method", "name", "proto", "scenario", "status", "url"}
}

// NewSamples writes the names of the columns.
func NewSamples(to io.Writer) (*Samples, error) {
	s := &Samples{to: csv.NewWriter(to)}
	if err := s.to.Write(append([]string{"metric_name", "timestamp", "metric_value"}, sampleTags()...)); err != nil {
		return nil, fmt.Errorf("write the samples: %w", err)
	}
	return s, nil
}

// Request writes one that ended at that time. What cannot be written is told
// by Flush.
func (s *Samples) Request(at time.Time, milliseconds float64, tags Tags) {
	if s == nil {
		return
	}
	row := []string{
		"http_req_duration", strconv.FormatInt(at.Unix(), 10),
		strconv.FormatFloat(milliseconds, 'f', 6, 64),
	}
	for _, name := range sampleTags() {
		row = append(row, tags[name])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.to.Write(row)
}

// Flush writes what is left and says what went wrong so far.
func (s *Samples) Flush() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to.Flush()
	if err := s.to.Error(); err != nil {
		return fmt.Errorf("write the samples: %w", err)
	}
	return nil
}
