// The people of journey.js, 20 of them, for an hour or for DURATION: whatever
// leaks or grows shows in the plots over time.
import { options as journey } from './journey.js';
export { default, setup, handleSummary } from './journey.js';

export const options = Object.assign({}, journey, {
  scenarios: {
    soak: { executor: 'constant-vus', vus: Number(__ENV.USERS || 20), duration: __ENV.DURATION || '1h' },
  },
});
