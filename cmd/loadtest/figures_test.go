package main

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func TestFiguresAreExact(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%4 == 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
		time.Sleep(20 * time.Millisecond) // the known latency
		fmt.Fprint(w, "hello")
	})
	o := load(t, site, `
import http from 'k6/http';
import { check } from 'k6';
import { Trend, Counter, Rate, Gauge } from 'k6/metrics';
const t = new Trend('waiting_time', true), c = new Counter('seen'), r = new Rate('even'), g = new Gauge('last');
export const options = { vus: 1, iterations: 20, summaryTrendStats: ['avg','min','med','max','p(90)','p(95)','p(99)','count'],
  thresholds: { 'seen{kind:odd}': ['count==10'] } };
export default function () {
  const res = http.get(__ENV.BASE_URL + '/');
  check(res, { 'is 200': (r) => r.status === 200, 'has text': (r) => r.body === 'hello' });
  t.add((__ITER + 1) * 10);
  c.add(2, { kind: __ITER % 2 ? 'even' : 'odd' });
  c.add(-1, { kind: __ITER % 2 ? 'even' : 'odd' });
  r.add(__ITER % 2 === 0);
  g.add(__ITER);
}`).ok(t, 0)
	o.want(t, map[string]float64{
		"http_reqs count": 20, "iterations count": 20, "http_req_duration count": 20,
		"http_req_failed value": 0.25, "http_req_failed passes": 5, "http_req_failed fails": 15,
		"checks passes": 35, "checks fails": 5, "checks value": 0.875,
		"waiting_time avg": 105, "waiting_time min": 10, "waiting_time max": 200, "waiting_time med": 105,
		"waiting_time p(90)": 181, "waiting_time p(95)": 190.5, "waiting_time p(99)": 198.1,
		"seen count": 20, "seen{kind:odd} count": 10, "even value": 0.5, "last value": 19, "last min": 0, "last max": 19,
		"http_req_duration{expected_response:true} count": 15,
	})
	contains(t, o.stdout, "p(99)=198.1ms count=20\n")
	if got := asked.Load(); got != 20 {
		t.Errorf("the site was asked %d times", got)
	}
	if got := o.value("http_req_waiting", "min"); got < 20 {
		t.Errorf("an answer after %v ms, the site takes 20", got)
	}
	if d, parts := o.value("http_req_duration", "avg"), o.value("http_req_sending", "avg")+o.value("http_req_waiting", "avg")+o.value("http_req_receiving", "avg"); d-parts > 1e-6 || parts-d > 1e-6 {
		t.Errorf("duration %v, its parts %v", d, parts)
	}
	if root := o.summary.Root.Checks["is 200"]; root.Passes != 15 || root.Fails != 5 {
		t.Errorf("check: %+v", root)
	}
}

func TestGroupsHoldTheirChecks(t *testing.T) {
	t.Parallel()
	o := load(t, http.NotFoundHandler(), `
import http from 'k6/http';
import { check, group } from 'k6';
export const options = { iterations: 3, thresholds: { 'http_reqs{group:::outer::inner}': ['count==3'] } };
export default function () {
  const got = group('outer', () => {
    check(1, { one: (v) => v === 1, constant: true });
    return group('inner', () => { http.get(__ENV.BASE_URL); check(2, { two: (v) => v === 3 }); return 7; });
  });
  check(got, { returned: (v) => v === 7 });
}`).ok(t, 0)
	outer := o.summary.Root.Groups["outer"]
	if c := outer.Groups["inner"].Checks["two"]; c.Fails != 3 || outer.Checks["one"].Passes != 3 || o.summary.Root.Checks["returned"].Passes != 3 {
		t.Errorf("%+v", o.summary.Root)
	}
	o.want(t, map[string]float64{"checks passes": 9, "checks fails": 3})
}
