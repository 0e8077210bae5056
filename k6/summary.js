// What a script leaves behind: a text, and with RESULTS=directory also
// NAME.json and NAME.html, where NAME is the environment's or "k6".
import { page } from './page.js';
import { figures, promised, checks } from './figures.js';

/**
 * @param {import('./figures.js').Data} data
 * @returns {Record<string, string>}
 */
export function handleSummary(data) {
  const name = __ENV.NAME || 'k6';
  /** @type {Record<string, string>} */
  const files = { stdout: text(data) };
  if (__ENV.RESULTS) {
    files[`${__ENV.RESULTS}/${name}.json`] = JSON.stringify(data, null, 2);
    files[`${__ENV.RESULTS}/${name}.html`] = page(data, name, new Date());
  }
  return files;
}

/** @param {import('./figures.js').Data} data */
function text(data) {
  const told = checks(data.root_group).map(({ name, passes, fails }) => (fails === 0
    ? `✓ ${name}`
    : `✗ ${name} (${fails} of ${passes + fails} failed)`));
  const lines = Object.keys(data.metrics).sort().filter((name) => !name.includes('{part:')).map((name) => {
    const promises = promised(data, name).map(({ ok, promise }) => `\n  ${ok ? '✓' : '✗'} ${promise}`);
    return `${name.padEnd(42)} ${figures(data.metrics[name])}${promises.join('')}`;
  });
  return `${told.concat('', lines).join('\n')}\n`;
}
