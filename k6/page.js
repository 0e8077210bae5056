// The summary as one HTML page that holds everything it needs: no script, no
// file beside it; light or dark, narrow or wide as the reader's screen is.
import { BASE_URL, PARTS } from './lib.js';
import { figure, figures, promised, checks, ms, share, whole, time } from './figures.js';
import { lines, columns, bars } from './plot.js';
import { css } from './style.js';

/** @typedef {import('./figures.js').Data} Data */

/**
 * @param {Data} data
 * @param {string} name
 * @param {Date} at
 */
export function page(data, name, at) {
  const promises = Object.keys(data.metrics).sort().filter((metric) => !metric.includes('{part:'))
    .flatMap((metric) => promised(data, metric)).sort((a, b) => Number(a.ok) - Number(b.ok));
  const broken = promises.filter(({ ok }) => !ok).length;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${html(name)}: load report</title>
<style>${css}</style>
<header><h1>${html(name)}</h1>
<p>${html(BASE_URL)} · ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC · ${time(data.state.testRunDurationMs)}</p>
<p class="verdict ${broken ? 'bad' : 'good'}">${broken ? `✗ ${broken} of ${promises.length} promises broken` : `✓ all ${promises.length} promises held`}</p></header>
${cards(data)}
${overTime(data)}
${byPage(data)}
<section><h2>Promises</h2>${table(['', 'what', 'promise', 'measured'], promises.map(({ metric, promise, ok }) => [
    ok ? '<b class="good">✓ held</b>' : '<b class="bad">✗ broken</b>', html(label(metric)), html(promise), measured(data, metric, promise),
  ]))}</section>
<section><h2>Checks</h2>${table(['', 'what people should see', 'seen', 'not seen'], checks(data.root_group).map(({ name: what, passes, fails }) => [
    fails ? '<b class="bad">✗</b>' : '<b class="good">✓</b>', html(what), whole(passes), fails ? `<b class="bad">${whole(fails)}</b>` : '0',
  ]))}</section>
<details><summary>Every metric</summary>${table(['metric', 'figures'], Object.keys(data.metrics).sort().map((metric) => [
    html(metric), html(figures(data.metrics[metric])),
  ]))}</details>
</html>
`;
}

/** @param {string} s */
export function html(s) {
  return s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/**
 * What people call a metric.
 * @param {string} metric
 */
function label(metric) {
  /** @type {Record<string, string>} */
  const known = {
    http_req_duration: 'every request', 'http_req_duration{of:page}': 'every page', http_req_failed: 'failed requests',
  };
  const named = /^http_req_duration\{name:(.*)\}$/.exec(metric);
  return named ? named[1] : known[metric] || metric;
}

/** @param {Data} data */
function cards(data) {
  const pages = 'http_req_duration{of:page}' in data.metrics ? 'http_req_duration{of:page}' : 'http_req_duration';
  const all = [
    ['users at most', whole(figure(data, 'vus', 'max'))],
    ['pages', whole(figure(data, pages, 'count'))],
    ['requests failed', share(figure(data, 'http_req_failed', 'rate'))],
    ['p50', ms(figure(data, pages, 'med'))],
    ['p95', ms(figure(data, pages, 'p(95)'))],
    ['p99', ms(figure(data, pages, 'p(99)'))],
    ['requests a second', whole(figure(data, 'http_reqs', 'rate'))],
    ['turns of a user', whole(figure(data, 'iterations', 'count'))],
  ];
  return `<dl>${all.map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

/** @param {Data} data */
function overTime(data) {
  const parts = Array.from({ length: PARTS }, (_, i) => `http_req_duration{part:${i}}`);
  const asked = parts.map((metric) => figure(data, metric, 'count'));
  if (asked.every((n) => n === 0)) return '';
  const of = (/** @type {string} */ name) => parts.map((metric, i) => (asked[i] ? figure(data, metric, name) : null));
  return `<section><h2>How long a page took</h2>
${lines([{ label: 'p50', values: of('med') }, { label: 'p95', values: of('p(95)') }, { label: 'p99', values: of('p(99)') }], ms)}</section>
<section><h2>Pages in each twentieth of the run</h2>
${columns(asked)}</section>`;
}

/** @param {Data} data */
function byPage(data) {
  const rows = Object.keys(data.metrics).filter((metric) => metric.startsWith('http_req_duration{name:')).map((metric) => ({
    name: html(label(metric)), p50: figure(data, metric, 'med'), p95: figure(data, metric, 'p(95)'), asked: figure(data, metric, 'count'),
  })).filter(({ asked }) => asked > 0);
  if (rows.length === 0) return '';
  return `<section><h2>Page by page</h2>${bars(rows.sort((a, b) => b.p95 - a.p95))}</section>`;
}

/**
 * The figure that a promise is about, which begins with its name.
 * @param {Data} data
 * @param {string} metric
 * @param {string} promise
 */
function measured(data, metric, promise) {
  const { type, contains, values } = data.metrics[metric];
  const name = promise.split(/[<>=!]/)[0].trim();
  const v = values[name];
  if (v === undefined) return html(figures(data.metrics[metric]));
  if (type === 'rate') return share(v);
  return contains === 'time' ? ms(v) : whole(v);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const cells = (/** @type {string} */ tag, /** @type {string[]} */ row) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table>${cells('th', head)}
${rows.map((row) => cells('td', row)).join('\n')}</table></div>`;
}
