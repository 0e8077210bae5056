// What a person does on the site, as a browser does it: open the page, fill in
// its form, send it, follow the redirect and look.
import { visit, submit, see, count, person, think } from './lib.js';
import { code } from './mailbox.js';

/** @typedef {import('./lib.js').Page} Page */
/** @typedef {import('./lib.js').Person} Person */

/** Looks at the home page, signs up and is told to read the mail. */
export function newcomer() {
  home();
  think(1);
  signUp(person());
  think(1);
}

export function home() {
  return see(visit('/', 'home'), 'the list is there', (p) => p.html('main').size() === 1);
}

/**
 * Opens one of the posts of a list.
 * @param {Page} list
 */
export function read(list) {
  const posts = list.html('article[data-post-id]').toArray();
  const one = posts[Math.floor(Math.random() * posts.length)];
  const post = visit(`/posts/${one.attr('data-post-id')}`, 'post');
  return see(post, 'the post can be read', (p) => count(p, 'views') >= 0);
}

export function signUpForm() {
  return see(visit('/auth/signup', 'sign-up form'), 'the form is there', (p) => p.html('input[name="email"]').size() === 1);
}

/**
 * @param {Page} form
 * @param {Person} who
 * @param {import('./lib.js').Params} [more]
 */
export function sendSignUp(form, who, more) {
  const { email, nickname, name, password } = who;
  return submit(form, '/auth/signup', 'sign up', { email, nickname, name, password }, more);
}

/**
 * Fails unless the page waits for the code.
 * @param {Page} page
 * @param {Person} who
 */
export function pending(page, who) {
  return see(page, 'the address is shown on the pending page', (p) => p.url.endsWith('/auth/pending') && p.html('main').text().includes(who.email));
}

/**
 * Signs up and returns the page that waits for the code.
 * @param {Person} who
 */
export function signUp(who) {
  const form = signUpForm();
  think(1);
  return pending(sendSignUp(form, who), who);
}

/**
 * Reads the mail, types its code and returns the home page of a member.
 * @param {Page} page
 * @param {Person} who
 */
export function verify(page, who) {
  return see(submit(page, '/auth/verify/code', 'verify', { code: code(who.email) }), 'verified and logged in', inside);
}

/** @param {Person} who */
export function logIn(who) {
  const form = see(visit('/auth/login', 'log-in form'), 'the log-in form is there', (p) => p.html('input[name="password"]').size() === 1);
  return see(submit(form, '/auth/login', 'log in', { email: who.email, password: who.password }), 'logged in', inside);
}

/** @param {Page} page */
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
  const form = see(visit('/posts/new', 'post form'), 'the form of a post is there', (p) => p.html('[name="title"]').size() === 1);
  const post = submit(form, '/posts', 'write', { title, body: `Written *under load*: ${title}.` });
  return see(post, 'the post is shown', (p) => p.html('h1').text().includes(title));
}

/**
 * @param {Page} post
 * @param {string} body
 */
export function comment(post, body) {
  return see(submit(post, '/comments', 'comment', { body }), 'the comment is shown', (p) => p.html('main').text().includes(body));
}

/**
 * Likes a post unless that is done already.
 * @param {Page} post
 */
export function like(post) {
  if (post.html('form[action$="/like"]').size() === 0) return post;
  return see(submit(post, '/like', 'like', {}), 'the like counts', (p) => count(p, 'likes') >= 1);
}

/**
 * For setup: sees to it that there is something to read. On a site with posts
 * nothing is written.
 */
export function firstPost() {
  if (home().html('article[data-post-id]').size() > 0) return;
  const who = person();
  verify(signUp(who), who);
  write('The first post');
}
