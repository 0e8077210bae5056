// Five people sign up, verify, log in and write, one page after the other.
import { signUp, verify, logOut, logIn, write, count, submit, see, person, think, thresholds } from './lib.js';
export { handleSummary } from './summary.js';

export const options = {
  scenarios: { functional: { executor: 'constant-vus', vus: 5, duration: '30s' } },
  thresholds,
};

export default function () {
  const who = person();
  const pending = signUp(who);
  think(1);
  logOut(verify(pending, who));
  logIn(who);
  think(1);
  const post = write(`Hello from ${who.nickname}`);
  const commented = submit(post, '/comments', 'comment', { body: 'First!' });
  see(commented, 'the comment is shown', (p) => count(p, 'comments') === 1 && p.html('main').text().includes('First!'));
  think(1);
}
