package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// siteOfForms is a small site with a cookie, redirects, a form and a slow page.
func siteOfForms() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /set", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "42", Path: "/", HttpOnly: true})
		w.Header().Add("X-Many", "a")
		w.Header().Add("X-Many", "b")
	})
	mux.HandleFunc("GET /cookies", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Cookie")) })
	mux.HandleFunc("POST /see-other", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo?seen=1", http.StatusSeeOther) })
	mux.HandleFunc("POST /again", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("GET /round", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/round", http.StatusFound) })
	mux.HandleFunc("GET /form", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<h1> A  form </h1><a href="/nowhere" class="no">n</a><a href="form2#there" id="go">go</a>
<form id="search" action="/echo"><input name="q" value="old"></form>
<form id="write" action="/echo" method="post"><input type="hidden" name="token" value="t1"><input name="title">
<textarea name="body">
text</textarea><select name="sort"><option value="new">n</option><option value="top" selected>t</option></select>
<input type="checkbox" name="off" value="1"><input type="checkbox" name="on" value="1" checked>
<input name="gone" value="x" disabled><button type="submit" name="act" value="save">Save</button></form>`)
	})
	mux.HandleFunc("GET /form2", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "second") })
	mux.HandleFunc("GET /json", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"items":[{"id":7}],"a":{"b":null}}`) })
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s|%s|%s|%s", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("X-Own"), body)
	})
	return mux
}

func TestRequestsAreSentAsK6SendsThem(t *testing.T) {
	t.Parallel()
	load(t, siteOfForms(), `
import http, { expectedStatuses } from 'k6/http';
import { check } from 'k6';
const B = __ENV.BASE_URL;
export const options = { iterations: 2 };
export default function () {
  const eq = (name, got, want) => check(got, { [name + ' ' + got]: (v) => v === want });
  eq('fresh cookies', http.get(B + '/cookies').body, '');
  const set = http.get(B + '/set');
  eq('cookie', set.cookies.sid[0].value + set.cookies.sid[0].http_only, '42true');
  eq('joined header', set.headers['X-Many'], 'a, b');
  eq('kept', http.get(B + '/cookies').body, 'sid=42');
  eq('beside', http.get(B + '/cookies', { cookies: { a: 'b' } }).body, 'a=b; sid=42');
  eq('instead', http.get(B + '/cookies', { cookies: { sid: { value: '1', replace: true } } }).body, 'sid=1');
  const jar = http.cookieJar();
  eq('jar', jar.cookiesForURL(B + '/').sid[0], '42');
  jar.set(B, 'mine', '1', { path: '/' });
  eq('set', http.get(B + '/cookies').body, 'sid=42; mine=1');
  jar.delete(B + '/', 'sid');
  eq('deleted', http.get(B + '/cookies').body, 'mine=1');
  jar.clear(B + '/');
  eq('cleared', http.get(B + '/cookies').body, '');
  const other = new http.CookieJar();
  http.get(B + '/set', { jar: other });
  eq('own jar', http.get(B + '/cookies', { jar: other }).body + http.get(B + '/cookies').body, 'sid=42');

  const see = http.post(B + '/see-other', 'x', { headers: { 'Content-Type': 'text/plain', 'X-Own': 'o' } });
  eq('303', see.body, 'GET /echo?seen=1||o|');
  eq('url', see.url, B + '/echo?seen=1');
  eq('308', http.post(B + '/again', { a: 'ü', l: [1, 2] }).body, 'POST /echo|application/x-www-form-urlencoded||a=%C3%BC&l=1&l=2');
  eq('not followed', http.post(B + '/see-other', 'x', { redirects: 0 }).status, 303);
  eq('at most', http.get(B + '/round', { redirects: 3 }).status, 302);
  for (const m of ['put', 'patch', 'del']) eq(m, http[m](B + '/echo', 'b').body, (m === 'del' ? 'DELETE' : m.toUpperCase()) + ' /echo|||b');
  eq('request', http.request('post', B + '/echo', JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json' } }).body, 'POST /echo|application/json||{"a":1}');
  eq('head', http.head(B + '/echo').status + http.head(B + '/echo').body, '200');

  const form = http.get(B + '/form');
  eq('text', form.html('h1').text().trim(), 'A  form');
  eq('attr', form.html().find('form#write input').first().attr('name'), 'token');
  eq('no attr', form.html('h1').attr('name'), undefined);
  eq('map', form.html('a').map((i, a) => i + a.text()).join(), '0n,1go');
  eq('size', form.html('form').size(), 2);
  eq('val', form.html('select').val() + form.html('textarea').val(), 'toptext');
  eq('submit', form.submitForm({ formSelector: '#write', fields: { title: 'T & t' } }).body,
    'POST /echo|application/x-www-form-urlencoded||act=save&body=text&on=1&sort=top&title=T+%26+t&token=t1');
  eq('search', form.submitForm({ fields: { q: 'new' } }).body, 'GET /echo?q=new|||');
  eq('click', form.clickLink({ selector: '#go' }).body, 'second');
  const json = http.get(B + '/json');
  eq('json', json.json().items.length + json.json('items.0.id'), 8);
  eq('json null', json.json('a.b'), null);
  eq('json nothing', json.json('a.c.d'), undefined);

  const two = http.batch([['GET', B + '/echo?1'], { method: 'POST', url: B + '/echo', body: { x: 1 }, params: { headers: { 'X-Own': 'b' } } }, B + '/form2']);
  eq('batch', two.map((r) => r.body).join(' '), 'GET /echo?1||| POST /echo|application/x-www-form-urlencoded|b|x=1 second');
  eq('named batch', http.batch({ a: B + '/form2' }).a.body, 'second');
  eq('binary', new Uint8Array(http.get(B + '/form2', { responseType: 'binary' }).body)[0], 115);
  eq('none', http.get(B + '/form2', { responseType: 'none' }).body, null);
  eq('timings', Object.keys(json.timings).length, 8);
  eq('sent', json.request.method + json.request.url, 'GET' + B + '/json');
}`).passed(t)
}

func TestWhatCountsAsFailedIsTheScriptsChoice(t *testing.T) {
	t.Parallel()
	o := load(t, siteOfForms(), `
import http from 'k6/http';
import { check } from 'k6';
const B = __ENV.BASE_URL;
export const options = { iterations: 1, maxRedirects: 0, thresholds: { 'http_reqs{name:busy}': ['count==2'], 'http_reqs{name:given}': ['count==1'],
  'http_reqs{status:429,own:yes}': ['count==1'], 'http_reqs{error_code:1050}': ['count==1'] } };
export default function () {
  http.get(B + '/busy');                                                      // failed
  http.get(B + '/busy', { responseCallback: http.expectedStatuses(200, { min: 400, max: 430 }), tags: { name: 'busy', own: 'yes' } });
  http.get(B + '/busy', { responseCallback: null, tags: { name: 'busy' } });  // not counted
  http.get(http.url`+"`${B}/x/${1}`"+`, { tags: { name: 'given' } });     // failed: 404
  http.get(http.url`+"`${B}/y/${1}`"+`);                                      // failed: 404
  http.setResponseCallback(http.expectedStatuses(302));
  http.get(B + '/round');
  const slow = http.get(B + '/slow', { timeout: '50ms' });                     // failed
  check(slow, { timeout: (r) => r.status === 0 && r.error_code === 1050 && r.error === 'request timeout' && r.body === null });
}`).passed(t)
	o.want(t, map[string]float64{"http_reqs count": 7, "http_req_failed passes": 4, "http_req_failed fails": 2})
}

func TestBatchSendsSideBySide(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	gate := make(chan struct{})
	site := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if now.Add(1) == 3 {
			close(gate)
		}
		select {
		case <-gate:
		case <-time.After(5 * time.Second):
		}
	})
	o := load(t, site, `
import http from 'k6/http';
export const options = { iterations: 1, batch: 3, thresholds: { http_req_duration: ['max<4000'] } };
export default function () { http.batch([1, 2, 3].map((i) => __ENV.BASE_URL + '/' + i)); }`).ok(t, 0)
	o.want(t, map[string]float64{"http_reqs count": 3})
}

func TestConnectionsAreKeptAndBodiesThrownAway(t *testing.T) {
	t.Parallel()
	var lines distinct
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lines.add(r.RemoteAddr)
		fmt.Fprint(w, "text")
	})
	load(t, site, `
import http from 'k6/http';
import { check } from 'k6';
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 5 } }, discardResponseBodies: true };
export default function () {
  check(http.get(__ENV.BASE_URL), { thrown: (r) => r.body === null });
  check(http.get(__ENV.BASE_URL, { responseType: 'text' }), { kept: (r) => r.body === 'text' });
}`).passed(t)
	if n := lines.count(); n != 3 {
		t.Errorf("%d connections for 3 users", n)
	}
}

// distinct counts different strings.
type distinct struct{ seen sync.Map }

func (d *distinct) add(s string) { d.seen.Store(s, true) }

func (d *distinct) count() (n int) {
	d.seen.Range(func(any, any) bool { n++; return true })
	return n
}
