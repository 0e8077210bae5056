package main

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func TestExecutorsDoWhatIsPlanned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scenario string
		want     map[string]float64
	}{
		"shared":   {`executor: 'shared-iterations', vus: 4, iterations: 25`, map[string]float64{"iterations count": 25, "vus_max value": 4}},
		"each":     {`executor: 'per-vu-iterations', vus: 4, iterations: 5`, map[string]float64{"iterations count": 20, "vus_max value": 4}},
		"rate":     {`executor: 'constant-arrival-rate', rate: 40, duration: '1s', preAllocatedVUs: 4`, map[string]float64{"iterations count": 40, "vus_max value": 4}},
		"unit":     {`executor: 'constant-arrival-rate', rate: 4, timeUnit: '100ms', duration: '500ms', preAllocatedVUs: 4`, map[string]float64{"iterations count": 20}},
		"arriving": {`executor: 'ramping-arrival-rate', startRate: 0, stages: [{ duration: '1s', target: 40 }, { duration: '500ms', target: 40 }], preAllocatedVUs: 4`, map[string]float64{"iterations count": 40}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			load(t, nil, `export const options = { scenarios: { s: { `+c.scenario+` } } }; export default function () {}`).ok(t, 0).want(t, c.want)
		})
	}
}

func TestIterationsThatNobodyIsFreeForAreDropped(t *testing.T) {
	t.Parallel()
	o := load(t, nil, `
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 10, duration: '1s', preAllocatedVUs: 1, maxVUs: 2 } } };
export default function () { sleep(2); }`).ok(t, 0)
	o.want(t, map[string]float64{"iterations count": 2, "dropped_iterations count": 8, "vus_max value": 2})
}

func TestStagesRaiseAndLowerTheUsers(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	site := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for n, m := now.Add(1), most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(30 * time.Millisecond) // the known latency
		now.Add(-1)
	})
	started := time.Now()
	o := load(t, site, `
import http from 'k6/http';
export const options = { stages: [{ duration: '10s', target: 6 }, { duration: '10s', target: 0 }] };
export default function () { http.get(__ENV.BASE_URL); }`, "--scale", "0.1").ok(t, 0)
	if took := time.Since(started); took < 2*time.Second || took > 6*time.Second {
		t.Errorf("a tenth of 20 s took %v", took)
	}
	if n := most.Load(); n < 5 || n > 6 {
		t.Errorf("%d users at the same time, want 6 at the peak", n)
	}
	o.want(t, map[string]float64{"vus_max value": 6, "http_req_failed value": 0})
}

func TestScenariosHaveTheirOwnStartFunctionEnvironmentAndTags(t *testing.T) {
	t.Parallel()
	o := load(t, nil, `
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
const c = new Counter('c');
export const options = { tags: { all: 'yes' }, scenarios: {
  one: { executor: 'per-vu-iterations', vus: 2, iterations: 3, env: { WHO: 'first' }, tags: { who: 'a' } },
  two: { executor: 'shared-iterations', vus: 1, iterations: 4, exec: 'second', startTime: '300ms' },
}, thresholds: { 'c{scenario:one,who:a,all:yes}': ['count==6'], 'c{scenario:two}': ['count==4'], 'c{own:1}': ['count==4'] } };
export function setup() { return { from: 'setup', at: Date.now() }; }
export default function (data) {
  c.add(1);
  check(data, { data: (d) => d.from === 'setup', env: () => __ENV.WHO === 'first' && __ENV.COLOUR === 'blue',
    counted: () => exec.vu.iterationInScenario === __ITER && exec.vu.idInTest === __VU && exec.scenario.name === 'one' });
}
export function second(data) {
  exec.vu.metrics.tags['own'] = '1';
  c.add(1);
  check(data, { later: (d) => Date.now() - d.at >= 300, env: () => __ENV.WHO === undefined,
    order: () => exec.scenario.iterationInTest === __ITER, progress: () => exec.scenario.progress > 0, running: () => exec.instance.vusActive === 1 });
}
export function teardown(data) { if (data.from !== 'setup') throw new Error('no data'); console.log('torn down'); }`).passed(t)
	o.want(t, map[string]float64{"iterations count": 10})
	contains(t, o.stderr, "log: torn down")
}

func TestWhatGoesOnTooLongIsCutOff(t *testing.T) {
	t.Parallel()
	started := time.Now()
	o := load(t, nil, `
import { sleep } from 'k6';
export const options = { scenarios: {
  idle: { executor: 'constant-vus', vus: 1, duration: '200ms', gracefulStop: '0s' },
  down: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '200ms', target: 1 }, { duration: '0s', target: 0 }, { duration: '300ms', target: 0 }], gracefulRampDown: '100ms', exec: 'loop' },
  grace: { executor: 'constant-vus', vus: 1, duration: '100ms', exec: 'finishes' },
} };
export default function () { sleep(60); }
export function loop() { for (;;) {} }
export function finishes() { sleep(0.5); }`).ok(t, 0)
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	o.want(t, map[string]float64{"iterations count": 1})
}
