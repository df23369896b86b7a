import { findFirefox } from './find-engines.ts';
import { startFirefox } from './firefox.ts';
import { describeJourneys } from './journeys.ts';

const program = findFirefox();
describeJourneys('Firefox', program === null ? null : () => startFirefox(program));
