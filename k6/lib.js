// What the scripts are made of: where the site is, pages and forms, time to
// think, promises. Everything is set by environment variables:
// BASE_URL is the site, THINK a factor for the time between pages, USERS the
// most users at once, MAIL_DOMAIN the domain of the addresses that sign up.
import exec from 'k6/execution';
import http from 'k6/http';
import { check, fail, sleep } from 'k6';

export const BASE_URL = (__ENV.BASE_URL || 'http://localhost:8080').replace(/\/+$/, '');
const THINK = Number(__ENV.THINK || 1);
const MAIL_DOMAIN = __ENV.MAIL_DOMAIN || 'example.com';

/** @typedef {import('k6/http').RefinedResponse<'text'>} Page */
/** @typedef {import('k6/http').RefinedParams<'text'>} Params */
/** @typedef {{ email: string, nickname: string, name: string, password: string }} Person */

/**
 * The run is told in so many parts, for the plots over time of the summary; in
 * none where no summary is asked for, since each costs whoever keeps the figures.
 */
export const PARTS = __ENV.RESULTS ? 20 : 0;

/** The figures of every duration. */
export const summaryTrendStats = ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)', 'count'];

/**
 * The thresholds of the write-up, stricter ones of ours, and p95 in
 * milliseconds of pages by their names. A promise that always holds is there
 * because k6 tells of tagged requests only what is promised of them.
 * @param {string[]} pages
 * @param {number} within
 */
export function promises(pages, within) {
  /** @type {Record<string, string[]>} */
  const all = {
    http_req_duration: ['p(95)<500'],
    'http_req_duration{of:page}': [`p(95)<${within}`],
    http_req_failed: ['rate<0.1', 'rate==0'],
    checks: ['rate==1'],
  };
  for (const page of pages) all[`http_req_duration{name:${page}}`] = [`p(95)<${within}`];
  for (let i = 0; i < PARTS; i++) all[`http_req_duration{part:${i}}`] = ['max>=0'];
  return all;
}

/**
 * The number of users moves along the stages; USERS stretches them so that it
 * is reached where the highest of them is.
 * @param {Array<[string, number]>} stages how long, and to how many
 */
export function ramp(stages) {
  const most = Math.max(...stages.map(([, target]) => target));
  const factor = Number(__ENV.USERS || most) / most;
  return {
    executor: /** @type {const} */ ('ramping-vus'),
    startVUs: 0,
    stages: stages.map(([duration, target]) => ({ duration, target: Math.ceil(target * factor) })),
  };
}

/**
 * Somebody who has never been here: unique in time, user and turn.
 * @returns {Person}
 */
export function person() {
  const nickname = [Date.now(), __VU || 0, Math.floor(Math.random() * 1e6)].map((n) => n.toString(36)).join('-');
  return { email: `${nickname}@${MAIL_DOMAIN}`, nickname, name: 'Load Test', password: `secret ${nickname}` };
}

/**
 * Ends the turn unless the page is what a person would want to see.
 * @param {Page} page
 * @param {string} what
 * @param {(page: Page) => boolean} shown
 */
export function see(page, what, shown) {
  if (!check(page, { [what]: (p) => p.status === 200 && shown(p) })) {
    fail(`${what}: ${page.status} at ${page.url} ${page.error}`);
  }
  return page;
}

/**
 * What the figures of a page are found by: its name, that it is a page of the
 * site, and in which part of the run it was asked for.
 * @param {string} name
 */
function tags(name) {
  /** @type {Record<string, string>} */
  const all = { name, of: 'page' };
  if (PARTS === 0) return all;
  try {
    const { progress } = exec.scenario;
    if (progress < 1) all.part = String(Math.floor(progress * PARTS)); // else it only ends what it began
  } catch (_) {
    // setup and teardown belong to no scenario, and so to no part of it
  }
  return all;
}

/**
 * @param {string} path
 * @param {string} name what the page goes by in the figures
 * @param {Record<string, string>} [headers]
 */
export function visit(path, name, headers) {
  return get(BASE_URL + path, name, headers);
}

/**
 * @param {string} address
 * @param {string} name
 * @param {Record<string, string>} [headers]
 */
function get(address, name, headers) {
  return /** @type {Page} */ (http.get(address, { tags: tags(name), headers: headers || {} }));
}

/**
 * Fills in the form of the page that leads to an address, sends it, and goes
 * where the answer leads. The answer has the name; where it leads to is a page
 * like any other, so that it is not half of the figures of a form.
 * @param {Page} page
 * @param {string} action how the address ends
 * @param {string} name what the answer goes by in the figures
 * @param {Record<string, string>} fields
 * @param {Params} [more]
 */
export function submit(page, action, name, fields, more) {
  const params = Object.assign({ tags: tags(name), redirects: 0 }, more);
  const answer = /** @type {Page} */ (page.submitForm({ formSelector: `form[action$="${action}"]`, fields, params }));
  return answer.status === 303 ? follow(answer.headers.Location) : answer;
}

/** @param {string} location a path or a whole address */
function follow(location) {
  const site = location.startsWith('/') ? BASE_URL.replace(/^(https?:\/\/[^/]+).*/, '$1') : '';
  const address = site + location.replace(/#.*/, '');
  return get(address, pageName(address));
}

/** @param {string} address */
function pageName(address) {
  if (/\/posts\/\d+$/.test(address)) return 'post';
  return address.endsWith('/auth/pending') ? 'pending' : 'home';
}

/**
 * The number of views, likes or comments on the page of a post.
 * @param {Page} page
 * @param {'views' | 'likes' | 'comments'} of
 */
export function count(page, of) {
  return Number(page.html(`data#${of}`).attr('value'));
}

/**
 * Rests as people do: around so many seconds, never on the beat.
 * @param {number} seconds
 */
export function think(seconds) {
  sleep(THINK * seconds * (0.5 + Math.random()));
}
