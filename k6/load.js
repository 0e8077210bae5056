// People look at the home page and sign up: up to 20 at once, up to 50, and down
// to none, in two minutes.
import { ramp, promises, summaryTrendStats } from './lib.js';
export { newcomer as default } from './member.js';
export { handleSummary } from './summary.js';

export const options = {
  scenarios: { load: ramp([['30s', 20], ['1m', 50], ['30s', 0]]) },
  thresholds: promises(['home', 'sign-up form', 'sign up', 'pending'], 200),
  summaryTrendStats,
};
