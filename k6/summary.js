// What a script leaves behind: a text, and with RESULTS=directory also
// NAME.json and NAME.html, where NAME is the environment's or "k6".

/** @typedef {{ type: string, contains: string, values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }} Metric */
/** @typedef {{ metrics: Record<string, Metric>, state: { testRunDurationMs: number } }} Data */

/**
 * @param {Data} data
 * @returns {Record<string, string>}
 */
export function handleSummary(data) {
  /** @type {Record<string, string>} */
  const files = { stdout: text(data) };
  if (__ENV.RESULTS) {
    const path = `${__ENV.RESULTS}/${__ENV.NAME || 'k6'}`;
    files[`${path}.json`] = JSON.stringify(data, null, 2);
    files[`${path}.html`] = html(data);
  }
  return files;
}

/** @param {Data} data */
function text(data) {
  const lines = Object.keys(data.metrics).sort().map((name) => {
    const metric = data.metrics[name];
    const broken = Object.entries(metric.thresholds || {}).map(([promise, t]) => `\n  ${t.ok ? '✓' : '✗'} ${promise}`);
    return `${name.padEnd(44)} ${figures(metric)}${broken.join('')}`;
  });
  return `${lines.join('\n')}\n`;
}

/** @param {Metric} metric */
function figures(metric) {
  return Object.entries(metric.values).map(([name, v]) => `${name}=${Math.round(v * 100) / 100}`).join(' ');
}

/** @param {string} s */
function escape(s) {
  return s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

/** @param {Data} data */
function html(data) {
  const names = Object.keys(data.metrics).sort();
  const promises = names.flatMap((name) => Object.entries(data.metrics[name].thresholds || {})
    .map(([promise, t]) => `<tr><td>${t.ok ? '✓ held' : '✗ broken'}<td>${escape(name)}<td>${escape(promise)}`));
  const trends = names.filter((name) => name.startsWith('http_req_duration'));
  const rows = names.map((name) => `<tr><td>${escape(name)}<td>${escape(figures(data.metrics[name]))}`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Load report</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem .75rem .2rem 0;border-bottom:1px solid #ddd}svg text{font:12px system-ui,sans-serif}</style>
<h1>Load report</h1><p>${Math.round(data.state.testRunDurationMs / 1000)} seconds</p>
<h2>Thresholds</h2><table>${promises.join('\n')}</table>
<h2>Half of it, and 95 %, was done within</h2>${bars(data, trends)}
<h2>Every metric</h2><table>${rows.join('\n')}</table></html>`;
}

/**
 * @param {Data} data
 * @param {string[]} names
 */
function bars(data, names) {
  const most = Math.max(1, ...names.map((name) => data.metrics[name].values['p(95)'] || 0));
  const rows = names.map((name, i) => {
    const { med = 0, 'p(95)': p95 = 0 } = data.metrics[name].values;
    const y = i * 24;
    return `<text x="0" y="${y + 15}">${escape(name)}</text>
<rect x="330" y="${y + 4}" width="${(p95 / most) * 450}" height="14" fill="#f0c27b"/><rect x="330" y="${y + 4}" width="${(med / most) * 450}" height="14" fill="#0b6e99"/>
<text x="${336 + (p95 / most) * 450}" y="${y + 15}">${Math.round(med)} · ${Math.round(p95)} ms</text>`;
  });
  return `<svg viewBox="0 0 900 ${names.length * 24}" width="100%">${rows.join('\n')}</svg>`;
}
