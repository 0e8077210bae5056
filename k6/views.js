// A thousand readers open one post a hundred times each: the count must rise by
// exactly a thousand.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { Gauge } from 'k6/metrics';
import { visit, count, see, person, promises, summaryTrendStats } from './lib.js';
import { signUp, verify, write } from './member.js';
export { handleSummary } from './summary.js';

const READERS = Number(__ENV.READERS || 1000);
const RELOADS = Number(__ENV.RELOADS || 100);
const counted = new Gauge('views_counted');

export const options = {
  scenarios: { views: { executor: 'shared-iterations', vus: Math.min(50, READERS), iterations: READERS, maxDuration: '30m' } },
  thresholds: promises(['post'], 500),
  summaryTrendStats,
  setupTimeout: '3m',
};

export function setup() {
  const who = person();
  verify(signUp(who), who);
  const post = write('Read me a thousand times');
  return { path: post.url.slice(post.url.lastIndexOf('/posts/')), before: count(post, 'views') };
}

/**
 * A reader is told from another by the browser.
 * @param {number} n
 */
function browser(n) {
  return { 'User-Agent': `Mozilla/5.0 (X11; Linux x86_64; reader ${n}) Gecko/20100101 Firefox/140.0` };
}

/** @param {{ path: string, before: number }} data */
export default function (data) {
  const reader = browser(exec.scenario.iterationInTest);
  for (let i = 0; i < RELOADS; i++) {
    see(visit(data.path, 'post', reader), 'the post is shown', (p) => String(p.body).includes('Read me a thousand times'));
  }
}

/** @param {{ path: string, before: number }} data */
export function teardown(data) {
  let rise = -1;
  for (let i = 0; i < 20 && rise !== READERS; i++) {
    sleep(0.5);
    rise = count(visit(data.path, 'count', browser(0)), 'views') - data.before; // counted already
  }
  check(rise, { 'every reader counts once': (n) => n === READERS });
  counted.add(rise);
}
