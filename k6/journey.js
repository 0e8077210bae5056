// A hundred people at once. Each begins with the whole story: sign up, read the
// mail, verify, log in, read, write, comment, like, log out. After that they are
// as people are: most read, some log in and take part, few sign up anew.
import exec from 'k6/execution';
import { ramp, promises, person, think, summaryTrendStats } from './lib.js';
import { home, read, signUp, verify, logOut, logIn, write, comment, like, firstPost } from './member.js';
export { handleSummary } from './summary.js';

const pages = [
  'home', 'post', 'sign-up form', 'sign up', 'pending', 'verify', 'log-in form', 'log in',
  'post form', 'write', 'comment', 'like', 'log out',
];

export const options = {
  scenarios: { journey: ramp([['30s', 100], ['1m', 100], ['30s', 0]]) },
  thresholds: promises(pages, 200),
  summaryTrendStats,
  setupTimeout: '3m',
};

/** The member that each user is. @type {ReturnType<typeof person> | null} */
let member = null;

export const setup = firstPost;

export default function () {
  const fresh = member === null;
  if (member === null || Math.random() < 0.05) member = join();
  browse();
  if (fresh || Math.random() < 0.3) takePart(member, fresh);
}

function join() {
  const who = person();
  const page = signUp(who);
  think(2);
  logOut(verify(page, who));
  return who;
}

/** Looks at the list and reads up to three posts of it. */
function browse() {
  const list = home();
  think(2);
  for (let more = 1; more > 0.3; more = Math.random()) {
    read(list);
    think(3);
  }
}

/**
 * Logs in, reads or writes a post, comments on it, likes it and logs out.
 * @param {ReturnType<typeof person>} who
 * @param {boolean} writes for certain; otherwise one in three does
 */
function takePart(who, writes) {
  const list = logIn(who);
  think(3);
  let post = read(list);
  think(2);
  const turn = `${who.nickname} in turn ${exec.vu.iterationInScenario}`;
  if (writes || Math.random() < 0.33) {
    post = write(turn);
    think(2);
  }
  post = comment(post, `A thought of ${turn}`);
  think(1);
  post = like(post);
  think(1);
  logOut(post);
}
