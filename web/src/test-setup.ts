import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { i18n } from './i18n/i18n.ts';
import { languageTagOf } from './i18n/language-tag.ts';
import { texts } from './i18n/locales/en/index.ts';
import './test-waits.ts';

// The English texts are loaded before the tests, so that components render them at once.
for (const [namespace, bundle] of Object.entries(texts)) {
  i18n.addTexts(languageTagOf('en'), namespace, bundle);
}

// Dates and times of the tests are those of Great Britain unless a test sets another region.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true });

// jsdom has no layout: nothing is ever resized or scrolled, and no media query matches unless a test sets one.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollTo ??= () => undefined;
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  });
Object.assign((globalThis.CSS ??= Object.create(null)), {
  escape: (text: string) => text.replaceAll(/[^\w-]/gu, String.raw`\$&`),
});

// An unexpected console error fails the test that caused it.
const errors = vi.spyOn(console, 'error');
afterEach(() => {
  cleanup();
  const calls = errors.mock.calls.splice(0);
  expect(calls, 'console.error was called').toEqual([]);
});

// Files that share a realm start with an empty page.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
