import { findWebKit } from './find-engines.ts';
import { describeJourneys } from './journeys.ts';
import { startWebKit } from './webkit.ts';

const programs = findWebKit();
describeJourneys('WebKitGTK', programs === null ? null : () => startWebKit(programs));
