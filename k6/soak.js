// The people of journey.js, 20 of them, for an hour or for DURATION: whatever
// leaks or grows shows in the plots over time.
import { options as journey } from './journey.js';
import { ramp } from './lib.js';
export { default, setup, handleSummary } from './journey.js';

export const options = Object.assign({}, journey, {
  scenarios: { soak: ramp([['30s', 20], [__ENV.DURATION || '1h', 20], ['30s', 0]]) },
});
