// A hundred people at once, weighted like real ones: most read, some log in and
// take part, few sign up. Every page has its own figures; p95 under 200 ms.
import exec from 'k6/execution';
import {
  BASE_URL, visit, see, signUp, verify, logOut, logIn, write, count, submit, person, think, thresholds,
} from './lib.js';
export { handleSummary } from './summary.js';

const USERS = Number(__ENV.USERS || 100);
const pages = ['home', 'post', 'sign-up form', 'sign up', 'verify', 'log-in form', 'log in', 'post form', 'write', 'comment', 'like', 'log out'];

export const options = {
  scenarios: {
    journey: {
      executor: 'ramping-vus', startVUs: 0,
      stages: [{ duration: '30s', target: USERS }, { duration: '1m', target: USERS }, { duration: '30s', target: 0 }],
    },
  },
  thresholds: Object.assign({}, thresholds, Object.fromEntries(pages.map((p) => [`http_req_duration{name:${p}}`, ['p(95)<200']]))),
};

/** A member of each user, who signs up in the first turn. @type {ReturnType<typeof person> | null} */
let member = null;

export function setup() {
  const who = person();
  verify(signUp(who), who);
  write('The first post');
}

export default function () {
  if (member === null) {
    const who = person();
    const pending = signUp(who);
    think(2);
    logOut(verify(pending, who));
    member = who;
  }
  read();
  if (Math.random() < 0.3) takePart(member);
}

/** Looks at the list and reads up to three posts of it. */
function read() {
  const home = see(visit('/', 'home'), 'posts are listed', (p) => p.html('article[data-post-id]').size() > 0);
  const ids = home.html('article[data-post-id]').map((_, a) => a.attr('data-post-id'));
  for (let i = 0; i < 3; i++) {
    think(2);
    const id = ids[Math.floor(Math.random() * ids.length)];
    see(visit(`/posts/${id}`, 'post'), 'the post can be read', (p) => count(p, 'views') >= 0);
  }
}

/**
 * Logs in, writes, comments, likes and logs out.
 * @param {ReturnType<typeof person>} who
 */
function takePart(who) {
  logIn(who);
  think(3);
  const title = `${who.nickname} in turn ${exec.vu.iterationInScenario}`;
  const post = write(title);
  think(2);
  const commented = see(submit(post, '/comments', 'comment', { body: `A thought on ${BASE_URL}` }), 'the comment is shown', (p) => count(p, 'comments') === 1);
  think(1);
  const liked = see(submit(commented, '/like', 'like', {}), 'the like counts', (p) => count(p, 'likes') === 1);
  think(1);
  logOut(liked);
}
