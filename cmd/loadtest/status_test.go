package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%q is missing in:\n%s", part, text)
	}
}

func TestTheExitStatusIsThatOfK6(t *testing.T) {
	t.Parallel()
	const body = `export default function () { http.get(__ENV.BASE_URL); }`
	for name, c := range map[string]struct {
		script string
		status int
		says   string
	}{
		"all is well":       {`export const options = { iterations: 2, thresholds: { http_reqs: ['count==2'] } }; ` + body, 0, ""},
		"broken":            {`export const options = { iterations: 2, thresholds: { http_reqs: ['count<2', 'count>0'] } }; ` + body, 99, "thresholds are broken: http_reqs: count<2"},
		"ends the run":      {`export const options = { duration: '60s', thresholds: { http_reqs: [{ threshold: 'count<2', abortOnFail: true }] } }; ` + body, 99, "http_reqs: count<2"},
		"no metric":         {`export const options = { thresholds: { nothing: ['count<2'] } }; ` + body, 104, `no metric`},
		"no threshold":      {`export const options = { thresholds: { http_reqs: ['so<2'] } }; ` + body, 104, `"so<2"`},
		"throws at the top": {`throw new Error('at the top');`, 107, "at the top"},
		"no JavaScript":     {`export default function ( {`, 107, "script.js:3:"},
		"throws in setup":   {`export function setup() { throw new Error('in setup'); } ` + body, 107, "setup: Error: in setup"},
		"no function":       {`export const options = { iterations: 1 };`, 107, "exports no function default"},
		"throws in a turn":  {`export const options = { iterations: 1 }; export default function () { throw new Error('in a turn'); }`, 0, "error: default, iteration 0: Error: in a turn (script.js:3:"},
		"fails":             {`import { fail } from 'k6'; export const options = { iterations: 1 }; export default function () { fail('so it is'); }`, 0, "iteration 0: so it is (script.js:3:"},
		"rejects":           {`export const options = { iterations: 1 }; export default async function () { await 1; throw new Error('later'); }`, 0, "Error: later at"},
		"ends itself":       {`import exec from 'k6/execution'; export const options = { vus: 2, duration: '60s' }; export default function () { exec.test.abort('enough'); }`, 108, "aborted by the script: enough"},
		"not an address":    {`export const options = { iterations: 1 }; export default function () { http.get('/path'); }`, 0, "must begin with http://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := load(t, http.NotFoundHandler(), "\nimport http from 'k6/http';\n"+c.script).ok(t, c.status)
			contains(t, o.stderr, c.says)
		})
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	for args, says := range map[string]string{"": "<script>", "--scale=0 x.js": "--scale", "--nothing x.js": "--nothing"} {
		o := invoke(t, strings.Fields(args)...).ok(t, 104)
		contains(t, o.stderr, says)
	}
	invoke(t, "no-such.js").ok(t, 107)
}

func TestAnInterruptEndsTheRunWithASummary(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	site := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/second" {
			cancel()
		}
	})
	o := loadUntil(ctx, t, site, `
import http from 'k6/http';
import { sleep } from 'k6';
export const options = { duration: '60s' };
export default function () { http.get(__ENV.BASE_URL); http.get(__ENV.BASE_URL + '/second'); sleep(60); }
export function teardown() { console.log('torn down'); }`).ok(t, 105)
	contains(t, o.stdout, "http_reqs                                  1")
	contains(t, o.stderr, "torn down")
}

func TestHandleSummaryWritesItsFiles(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "own.json")
	o := load(t, http.NotFoundHandler(), `
import http from 'k6/http';
import { check, group } from 'k6';
export const options = { iterations: 4, thresholds: { http_req_failed: ['rate<0.5'] } };
export function setup() { return { a: 1 }; }
export default function () { group('g', () => check(http.get(__ENV.BASE_URL), { found: (r) => r.status === 200 })); }
export function handleSummary(data) {
  const m = data.metrics, g = data.root_group.groups.filter((g) => g.name === 'g')[0];
  return { stdout: [m.http_reqs.values.count, m.http_req_failed.values.rate, m.http_req_failed.thresholds['rate<0.5'].ok, m.http_req_duration.type,
    m.http_req_duration.contains, typeof m.http_req_duration.values['p(95)'], g.checks[0].name, g.checks[0].fails, data.setup_data.a, data.state.testRunDurationMs > 0].join(),
    '`+file+`': JSON.stringify(data) };
}`).ok(t, 99)
	if want := "4,1,false,trend,time,number,found,4,1,true"; o.stdout != want {
		t.Errorf("stdout %q, want %q", o.stdout, want)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if broken, ok := o.summary.Metrics["http_req_failed"]["thresholds"].(map[string]any); !ok || broken["rate<0.5"] != true {
		t.Errorf("in the export a broken threshold is true: %v", broken)
	}
}

// loadUntil is load with a context of its own.
func loadUntil(ctx context.Context, t *testing.T, site http.Handler, text string) *outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.js")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	started := time.Now()
	status := run(ctx, []string{"--base-url", serve(t, site), path}, nil, &stdout, &stderr)
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it went on for %v", took)
	}
	return &outcome{status: status, stdout: stdout.String(), stderr: stderr.String()}
}
