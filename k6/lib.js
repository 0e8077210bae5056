// What the scripts share: where the site is, and what a person does on it.
// BASE_URL is the site, MAILBOX its built-in mailbox or one that answers alike,
// THINK a factor for the time between pages.
import http from 'k6/http';
import { check, fail, sleep } from 'k6';

export const BASE_URL = (__ENV.BASE_URL || 'http://localhost:8080').replace(/\/+$/, '');
const THINK = Number(__ENV.THINK || 1);
const MAILBOX = __ENV.MAILBOX || `${BASE_URL}/dev/mail`;

/** @typedef {import('k6/http').RefinedResponse<'text'>} Page */
/** @typedef {{ email: string, nickname: string, name: string, password: string }} Person */

/** The thresholds of the write-up and, for the pages, stricter ones of ours. */
export const thresholds = {
  http_req_duration: ['p(95)<500'],
  http_req_failed: ['rate<0.1', 'rate==0'],
  checks: ['rate==1'],
};

/**
 * Somebody who has never been here: unique in time, user and turn.
 * @returns {Person}
 */
export function person() {
  const nickname = [Date.now(), __VU || 0, Math.floor(Math.random() * 1e6)].map((n) => n.toString(36)).join('-');
  return { email: `${nickname}@example.com`, nickname, name: 'Load Test', password: `secret ${nickname}` };
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
 * @param {string} path
 * @param {string} name what the page goes by in the figures
 * @param {Record<string, string>} [headers]
 */
export function visit(path, name, headers) {
  return /** @type {Page} */ (http.get(BASE_URL + path, { tags: { name }, headers: headers || {} }));
}

/**
 * Fills in the form of the page that leads to an address and sends it.
 * @param {Page} page
 * @param {string} action how the address ends
 * @param {string} name what the answer goes by in the figures
 * @param {Record<string, string>} fields
 */
export function submit(page, action, name, fields) {
  const params = { tags: { name } };
  return /** @type {Page} */ (page.submitForm({ formSelector: `form[action$="${action}"]`, fields, params }));
}

/**
 * Signs up and returns the page that waits for the code.
 * @param {Person} who
 */
export function signUp(who) {
  const form = see(visit('/auth/signup', 'sign-up form'), 'the form is there', (p) => p.html('input[name="email"]').size() === 1);
  const pending = submit(form, '/auth/signup', 'sign up', {
    email: who.email, nickname: who.nickname, name: who.name, password: who.password,
  });
  return see(pending, 'the address is shown on the pending page', (p) => p.url.endsWith('/auth/pending') && p.html('main').text().includes(who.email));
}

/**
 * Waits for the mail and returns its code.
 * @param {string} email
 */
export function code(email) {
  const address = `${MAILBOX}?to=${encodeURIComponent(email)}`;
  for (let i = 0; i < 240; i++) {
    const mails = /** @type {Array<{ code: string }>} */ (
      /** @type {unknown} */ (http.get(address, { headers: { Accept: 'application/json' }, tags: { name: 'mailbox' } }).json())
    );
    if (mails.length > 0 && mails[0].code) return mails[0].code;
    sleep(0.5);
  }
  return fail(`no mail for ${email} within two minutes`);
}

/**
 * Types the code and returns the home page of somebody who is logged in.
 * @param {Page} pending
 * @param {Person} who
 */
export function verify(pending, who) {
  const home = submit(pending, '/auth/verify/code', 'verify', { code: code(who.email) });
  return see(home, 'verified and logged in', inside);
}

/**
 * @param {Person} who
 */
export function logIn(who) {
  const home = submit(visit('/auth/login', 'log-in form'), '/auth/login', 'log in', { email: who.email, password: who.password });
  return see(home, 'logged in', inside);
}

/**
 * @param {Page} page
 */
export function logOut(page) {
  return see(submit(page, '/auth/logout', 'log out', {}), 'logged out', (p) => !inside(p));
}

/**
 * Tells whether the page is one of somebody who is logged in.
 * @param {Page} page
 */
function inside(page) {
  return page.html('form[action$="/auth/logout"]').size() === 1;
}

/**
 * Writes a post and returns its page.
 * @param {string} title
 */
export function write(title) {
  const post = submit(visit('/posts/new', 'post form'), '/posts', 'write', { title, body: `Written *under load*: ${title}.` });
  return see(post, 'the post is shown', (p) => p.html('h1').text().includes(title));
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
