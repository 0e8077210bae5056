package result

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Samples are the requests to the board, as whoever ran the script saw them.
// Those to the mailbox are left out: it is no part of the board.
type Samples struct {
	Requests, Failed int
	P50, P95, P99    float64 // milliseconds
	Seconds          []Second
	Pages            []Page
	SignUps          int // that were acknowledged
}

// Second is what ended within one second of the clock.
type Second struct{ Requests, Failed int }

// Page is what was measured under one name.
type Page struct {
	Name             string
	Requests, Failed int
	P50, P95, P99    float64 // milliseconds
}

// Peak is the most requests of any second.
func (s Samples) Peak() int {
	peak := 0
	for _, second := range s.Seconds {
		peak = max(peak, second.Requests)
	}
	return peak
}

// ReadSamples reads the file of --out csv, of k6 or of cmd/loadtest, and keeps
// the requests to addresses that begin with site.
func ReadSamples(path, site string) (Samples, error) {
	f, err := os.Open(path) //nolint:gosec // the report's own file
	if err != nil {
		return Samples{}, fmt.Errorf("read the samples: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	g := gathering{site: site, seconds: map[int64]*Second{}, pages: map[string]*durations{}}
	if err := g.read(csv.NewReader(f)); err != nil {
		return Samples{}, fmt.Errorf("read the samples in %s: %w", path, err)
	}
	return g.samples(), nil
}

// gathering is what is known after some lines.
type gathering struct {
	site    string
	columns map[string]int
	all     durations
	seconds map[int64]*Second
	pages   map[string]*durations
	signUps int
}

// durations are those of some requests.
type durations struct {
	milliseconds []float64
	failed       int
}

func (d *durations) add(milliseconds float64, failed bool) {
	d.milliseconds = append(d.milliseconds, milliseconds)
	if failed {
		d.failed++
	}
}

func (g *gathering) read(r *csv.Reader) error {
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return err
	}
	g.columns = map[string]int{}
	for i, name := range header {
		g.columns[name] = i
	}
	for _, name := range []string{"metric_name", "timestamp", "metric_value", "expected_response", "method", "name", "status", "url"} {
		if _, ok := g.columns[name]; !ok {
			return fmt.Errorf("there is no column %s", name)
		}
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
}

func (g *gathering) add(row []string) error {
	field := func(name string) string { return row[g.columns[name]] }
	if field("metric_name") != "http_req_duration" || !strings.HasPrefix(field("url"), g.site+"/") {
		return nil
	}
	second, err := strconv.ParseInt(field("timestamp"), 10, 64)
	if err != nil {
		return err
	}
	milliseconds, err := strconv.ParseFloat(field("metric_value"), 64)
	if err != nil {
		return err
	}
	failed := field("expected_response") == "false"
	g.all.add(milliseconds, failed)
	g.second(second, failed)
	g.page(strings.Clone(field("name")), milliseconds, failed)
	if acknowledges(field("method"), field("url"), field("status")) {
		g.signUps++
	}
	return nil
}

// acknowledges reports whether an answer promises that a sign-up is recorded.
func acknowledges(method, address, status string) bool {
	u, err := url.Parse(address)
	return err == nil && method == "POST" && u.Path == "/auth/signup" && (status == "200" || status == "303")
}

func (g *gathering) second(at int64, failed bool) {
	if g.seconds[at] == nil {
		g.seconds[at] = &Second{}
	}
	g.seconds[at].Requests++
	if failed {
		g.seconds[at].Failed++
	}
}

// mostPages bounds the table for scripts that name no request.
const mostPages = 50

func (g *gathering) page(name string, milliseconds float64, failed bool) {
	if g.pages[name] == nil && len(g.pages) >= mostPages {
		name = "(others)"
	}
	if g.pages[name] == nil {
		g.pages[name] = &durations{}
	}
	g.pages[name].add(milliseconds, failed)
}

func (g *gathering) samples() Samples {
	s := Samples{Requests: len(g.all.milliseconds), Failed: g.all.failed, SignUps: g.signUps}
	s.P50, s.P95, s.P99 = g.all.figures()
	for name, d := range g.pages {
		p := Page{Name: name, Requests: len(d.milliseconds), Failed: d.failed}
		p.P50, p.P95, p.P99 = d.figures()
		s.Pages = append(s.Pages, p)
	}
	slices.SortFunc(s.Pages, func(a, b Page) int {
		if a.Requests != b.Requests {
			return b.Requests - a.Requests
		}
		return strings.Compare(a.Name, b.Name)
	})
	s.Seconds = g.inOrder()
	return s
}

func (d *durations) figures() (p50, p95, p99 float64) {
	slices.Sort(d.milliseconds)
	return Percentile(d.milliseconds, .5), Percentile(d.milliseconds, .95), Percentile(d.milliseconds, .99)
}

// inOrder returns every second from the first request to the last, those
// without a request too.
func (g *gathering) inOrder() []Second {
	if len(g.seconds) == 0 {
		return nil
	}
	first, last := int64(0), int64(0)
	for at := range g.seconds {
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	all := make([]Second, last-first+1)
	for at, second := range g.seconds {
		all[at-first] = *second
	}
	return all
}
