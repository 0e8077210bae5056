// Five people sign up, verify, log in and write, one page after the other.
import { see, count, person, think, promises, summaryTrendStats } from './lib.js';
import { signUp, verify, logOut, logIn, write, comment } from './member.js';
export { handleSummary } from './summary.js';

const pages = [
  'home', 'sign-up form', 'sign up', 'pending', 'verify', 'log-in form', 'log in',
  'post form', 'write', 'post', 'comment', 'log out',
];

export const options = {
  scenarios: { functional: { executor: 'constant-vus', vus: Number(__ENV.USERS || 5), duration: '30s' } },
  thresholds: promises(pages, 200),
  summaryTrendStats,
};

export default function () {
  const who = person();
  const page = signUp(who);
  think(1);
  logOut(verify(page, who));
  logIn(who);
  think(1);
  const post = write(`Hello from ${who.nickname}`);
  see(comment(post, 'First!'), 'the comment counts', (p) => count(p, 'comments') === 1);
  think(1);
}
