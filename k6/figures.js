// Reads what k6 gives to handleSummary, and writes numbers as people read them.
import { summaryTrendStats } from './lib.js';

/**
 * @typedef {{ type: string, contains: string, values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }} Metric
 * @typedef {{ name: string, passes: number, fails: number }} Check
 * @typedef {{ name: string, checks: Check[], groups: Group[] }} Group
 * @typedef {{ metrics: Record<string, Metric>, root_group: Group, state: { testRunDurationMs: number } }} Data
 */

/**
 * A figure of a metric, or 0 where nothing was measured.
 * @param {Data} data
 * @param {string} metric
 * @param {string} name
 */
export function figure(data, metric, name) {
  const known = data.metrics[metric];
  return known && known.values[name] || 0;
}

/**
 * What was promised of a metric, and whether it was held.
 * @param {Data} data
 * @param {string} metric
 */
export function promised(data, metric) {
  return Object.entries(data.metrics[metric].thresholds || {}).map(([promise, { ok }]) => ({ metric, promise, ok }));
}

/**
 * The checks of a group and of those in it, each name once.
 * @param {Group} group
 * @returns {Check[]}
 */
export function checks(group) {
  /** @type {Record<string, Check>} */
  const all = {};
  for (const { name, passes, fails } of group.checks.concat(...group.groups.map(checks))) {
    all[name] = all[name] || { name, passes: 0, fails: 0 };
    all[name].passes += passes;
    all[name].fails += fails;
  }
  return Object.values(all);
}

/**
 * All that was measured of a metric, in one line.
 * @param {Metric} metric
 */
export function figures({ type, contains, values }) {
  switch (type) {
    case 'rate':
      return `${share(values.rate)}, ${whole(values.passes)} of ${whole(values.passes + values.fails)}`;
    case 'counter':
      return `${amount(values.count, contains)}, ${amount(values.rate, contains)}/s`;
    case 'gauge':
      return `${amount(values.value, contains)}, between ${amount(values.min, contains)} and ${amount(values.max, contains)}`;
    default:
      return summaryTrendStats.filter((name) => name in values)
        .map((name) => `${name} ${name === 'count' ? whole(values[name]) : amount(values[name], contains)}`).join(', ');
  }
}

/**
 * @param {number} v
 * @param {string} contains
 */
function amount(v, contains) {
  if (contains === 'time') return ms(v);
  return contains === 'data' ? `${whole(v / 1000)} kB` : whole(v);
}

/** @param {number} v */
export function ms(v) {
  if (v >= 9999.5) return `${(v / 1000).toFixed(1)} s`;
  return v > 0 && v < 9.95 ? `${v.toFixed(1)} ms` : `${whole(v)} ms`;
}

/** @param {number} v between 0 and 1 */
export function share(v) {
  return `${(v * 100).toFixed(2)} %`;
}

/**
 * A number with commas; below ten with one digit of what is not whole.
 * @param {number} v
 */
export function whole(v) {
  const digits = Number.isInteger(v) || v >= 10 ? 0 : 1;
  return v.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** @param {number} milliseconds */
export function time(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
