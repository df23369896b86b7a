import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// The first menu or dialog of a test file fetches its code, which may take seconds on a busy machine. Unlike `test-setup.ts` this module
// is loaded once for all files that share a realm.
const longestWait = { timeout: 15_000 };
configure({ asyncUtilTimeout: longestWait.timeout });
const { waitFor } = vi;
vi.waitFor = (callback, options = longestWait) => waitFor(callback, options);
