// More and more people sign up, until there are 100 at once.
import { ramp, promises, summaryTrendStats } from './lib.js';
export { newcomer as default } from './member.js';
export { handleSummary } from './summary.js';

export const options = {
  scenarios: { stress: ramp([['30s', 50], ['30s', 100], ['30s', 100], ['30s', 0]]) },
  thresholds: promises(['home', 'sign-up form', 'sign up', 'pending'], 200),
  summaryTrendStats,
};
