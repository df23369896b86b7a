import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseTheme, currentTheme, startTheme, useIsDark, useTheme } from './theme.ts';

const shown = () => document.documentElement.dataset['theme'];

beforeEach(() => {
  localStorage.clear();
  startTheme('');
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("the system decides, unless the administrator does, unless this browser's user does", () => {
  expect(shown()).toBeUndefined();
  startTheme('dark');
  expect(shown()).toBe('dark');
  chooseTheme('light');
  expect(shown()).toBe('light');
  startTheme('dark');
  expect(shown()).toBe('light');
});

test("the system's theme can be chosen over the administrator's", () => {
  chooseTheme('system');
  startTheme('dark');
  expect(currentTheme()).toBe('system');
  expect(shown()).toBeUndefined();
});

test('what is stored but unknown is ignored', () => {
  localStorage.setItem('filestead.theme', 'purple');
  startTheme('dark');
  expect(shown()).toBe('dark');
});

test('without storage a choice lasts as long as the page', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  chooseTheme('dark');
  expect(shown()).toBe('dark');
});

test('components follow', () => {
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

test('the script that runs before the first paint agrees', () => {
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
    return shown();
  };
  expect(run(null)).toBeUndefined();
  expect(run('dark')).toBe('dark');
  expect(run('light', 'dark')).toBe('light');
  expect(run(null, 'dark')).toBe('dark');
  expect(run(null, '')).toBeUndefined();
  expect(run('system', 'dark')).toBeUndefined();
});
