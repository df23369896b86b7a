import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseTheme, currentTheme, startTheme, useIsDark, useTheme } from './theme.ts';

const shownTheme = () => document.documentElement.dataset['theme'];

beforeEach(() => {
  localStorage.clear();
  startTheme('');
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("uses the system's theme unless the administrator or the user of this browser chose one", () => {
  expect(shownTheme()).toBeUndefined();
  startTheme('dark');
  expect(shownTheme()).toBe('dark');
  chooseTheme('light');
  expect(shownTheme()).toBe('light');
  startTheme('dark');
  expect(shownTheme()).toBe('light');
});

test("lets the user choose the system's theme over the administrator's", () => {
  chooseTheme('system');
  startTheme('dark');
  expect(currentTheme()).toBe('system');
  expect(shownTheme()).toBeUndefined();
});

test('ignores an unknown stored value', () => {
  localStorage.setItem('filestead.theme', 'purple');
  startTheme('dark');
  expect(shownTheme()).toBe('dark');
});

test('keeps a choice until the page is closed if storage is forbidden', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  chooseTheme('dark');
  expect(shownTheme()).toBe('dark');
});

test('renders components again after a change', () => {
  function Theme() {
    const [theme] = useTheme();
    return (
      <p>
        {theme} {String(useIsDark())}
      </p>
    );
  }
  render(<Theme />);
  expect(screen.getByText('system false')).toBeTruthy();
  act(() => chooseTheme('dark'));
  expect(screen.getByText('dark true')).toBeTruthy();
});

test('matches the script that runs before the first paint', () => {
  const page = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8');
  const script = /<script>([^]*?)<\/script>/u.exec(page)?.[1] ?? '';
  expect(script).toContain('filestead.theme');
  const run = (stored: string | null, administratorTheme?: string) => {
    localStorage.clear();
    if (stored !== null) localStorage.setItem('filestead.theme', stored);
    delete document.documentElement.dataset['theme'];
    document.body.innerHTML =
      administratorTheme === undefined
        ? ''
        : `<script id="config" type="application/json">{"Theme":"${administratorTheme}"}</script>`;
    new Function(script)();
    return shownTheme();
  };
  expect(run(null)).toBeUndefined();
  expect(run('dark')).toBe('dark');
  expect(run('light', 'dark')).toBe('light');
  expect(run(null, 'dark')).toBe('dark');
  expect(run(null, '')).toBeUndefined();
  expect(run('system', 'dark')).toBeUndefined();
});
