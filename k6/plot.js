// Draws without a library. The lines are stretched to the width of the page, the
// words around them are not: they are read on a telephone too.
import { ms, whole } from './figures.js';

/**
 * @param {Array<{ label: string, values: Array<number | null> }>} all
 * @param {(v: number) => string} unit
 */
export function lines(all, unit) {
  const top = ceiling(Math.max(1, ...all.flatMap(({ values }) => values.map((v) => v || 0))));
  const drawn = all.map(({ values }, i) => {
    const points = values.map((v, x) => (v === null ? '' : `${x},${(100 * (1 - v / top)).toFixed(2)}`));
    return `<polyline class="line${i}" points="${points.filter((p) => p).join(' ')}"/>`;
  });
  const width = all[0].values.length - 1;
  const levels = [1, 0.75, 0.5, 0.25, 0];
  const label = all.map(({ label: name, values }) => `${name} at most ${unit(Math.max(...values.map((v) => v || 0)))}`).join(', ');
  return `<p class="legend">${all.map(({ label: name }, i) => `<span class="key${i}">${name}</span>`).join(' ')}</p>
<div class="plot"><div class="levels">${levels.map((l) => `<span>${unit(top * l)}</span>`).join('')}</div>
<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${label}">
${levels.map((l) => `<line class="level" x1="0" x2="${width}" y1="${100 - 100 * l}" y2="${100 - 100 * l}"/>`).join('')}
${drawn.reverse().join('\n')}</svg>
<div class="axis"><span>begin</span><span>half of the run</span><span>end</span></div></div>`;
}

/** @param {number[]} values */
export function columns(values) {
  const most = Math.max(...values, 1);
  const drawn = values.map((v, i) => `<i style="height:${(100 * v / most).toFixed(1)}%" title="${i + 1}: ${whole(v)}"></i>`);
  return `<div class="plot"><div class="levels"><span>${whole(most)}</span><span>0</span></div>
<div class="columns" role="img" aria-label="${whole(most)} in the busiest">${drawn.join('')}</div>
<div class="axis"><span>begin</span><span>half of the run</span><span>end</span></div></div>`;
}

/** @param {Array<{ name: string, p50: number, p95: number, asked: number }>} rows */
export function bars(rows) {
  const most = Math.max(...rows.map(({ p95 }) => p95), 1);
  const percent = (/** @type {number} */ v) => (100 * v / most).toFixed(1);
  return `<p class="legend"><span class="key0">half of the answers within</span> <span class="key1">95 % within</span></p>
<div class="bars">${rows.map(({ name, p50, p95, asked }) => `<div class="bar"><span>${name} <small>× ${whole(asked)}</small></span>
<span class="track"><i class="p95" style="width:${percent(p95)}%"></i><i class="p50" style="width:${percent(p50)}%"></i></span>
<span>${ms(p50)} · ${ms(p95)}</span></div>`).join('\n')}</div>`;
}

/**
 * The next of 4, 8, 12, 20, 40, 80, …: a quarter of it is a number that one likes to read.
 * @param {number} most
 */
function ceiling(most) {
  for (let unit = 4; ; unit *= 10) {
    for (const times of [1, 2, 3, 5]) if (most <= unit * times) return unit * times;
  }
}
