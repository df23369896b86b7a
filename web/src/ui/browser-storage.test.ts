import { afterEach, expect, test, vi } from 'vitest';
import { storedJson, storedText, storeJson, storeText } from './browser-storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

test('stores texts and values for the browser and for the tab', () => {
  storeText('name', 'first');
  storeJson('name', { tabs: 2 }, 'tab');
  expect(storedText('name')).toBe('first');
  expect(storedJson('name', 'tab')).toEqual({ tabs: 2 });
  storeText('name', null);
  expect(storedText('name')).toBeNull();
  expect(storedText('name', 'tab')).toBe('{"tabs":2}');
});

test('returns null for a value that is missing or is not JSON', () => {
  storeText('name', '{');
  expect(storedJson('name')).toBeNull();
  expect(storedJson('other')).toBeNull();
});

test('stores and returns nothing where storage is forbidden', () => {
  storeText('name', 'first');
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  storeText('name', 'second');
  expect(storedText('name')).toBeNull();
  expect(storedJson('name')).toBeNull();
  vi.restoreAllMocks();
  expect(storedText('name')).toBe('first');
});
