// A handful of people; suddenly 100, who stay for a minute, and are gone.
import { ramp, promises, summaryTrendStats } from './lib.js';
export { newcomer as default } from './member.js';
export { handleSummary } from './summary.js';

export const options = {
  scenarios: { spike: ramp([['10s', 5], ['1s', 100], ['1m', 100], ['1s', 5], ['10s', 0]]) },
  thresholds: Object.assign(promises(['home', 'sign-up form', 'pending'], 200), {
    // A hundred passwords in one second are hashed one after the other.
    'http_req_duration{name:sign up}': ['p(95)<500'],
  }),
  summaryTrendStats,
};
