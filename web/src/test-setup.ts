import { cleanup } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
// Components show the English texts in tests.
import './i18n/i18n.ts';

// An unexpected console error fails the test that caused it.
const errors = vi.spyOn(console, 'error');
afterEach(() => {
  cleanup();
  const calls = errors.mock.calls.splice(0);
  expect(calls, 'console.error was called').toEqual([]);
});
