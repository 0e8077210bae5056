// A thousand people read, and sign up faster than passwords can be hashed. Pages
// stay fast; a sign-up may be refused if it is told when to come again, and
// whoever is refused goes on reading.
import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';
import { ramp, promises, person, think, summaryTrendStats } from './lib.js';
import { home, read, signUpForm, sendSignUp, pending, firstPost } from './member.js';
export { handleSummary } from './summary.js';

const refused = new Counter('sign_ups_refused');
const polite = http.expectedStatuses({ min: 200, max: 399 }, 429, 503);

const thresholds = promises(['home', 'post', 'sign-up form'], 500);
// Sign-ups wait for their turn, ten seconds at most before they are refused, so
// these would speak of nothing else.
delete thresholds.http_req_duration;
delete thresholds['http_req_duration{of:page}'];
thresholds['http_req_duration{name:sign up}'] = ['p(95)<15000'];

export const options = {
  scenarios: { big: ramp([['1m', 1000], ['1m', 1000], ['30s', 0]]) },
  thresholds,
  summaryTrendStats,
  setupTimeout: '3m',
};

export const setup = firstPost;

export default function () {
  const list = home();
  think(2);
  read(list);
  think(3);
  trySignUp();
  think(2);
  read(list);
  think(3);
}

function trySignUp() {
  const who = person();
  const answer = sendSignUp(signUpForm(), who, { responseCallback: polite });
  if (answer.status !== 429 && answer.status !== 503) {
    pending(answer, who);
    return;
  }
  refused.add(1);
  check(answer, { 'a refusal says when to come again': (p) => Number(p.headers['Retry-After']) > 0 });
}
