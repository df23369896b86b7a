import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { i18n } from '../../i18n/i18n.ts';
import { programName } from './program-name.ts';

const t = ((key: string, values?: object) =>
  i18n.t(key as never, { ns: 'sessions', ...values } as never)) as TFunction<'sessions'>;

test.each([
  ['Firefox 128, Linux', 'Firefox 128, Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like', 'Unknown browser, Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Unknown browser, Windows'],
  ['Mozilla/5.0', 'Unknown browser'],
  ['', 'Unknown program'],
])('names the program with the user agent %j as %s', (userAgent, name) => {
  expect(programName(userAgent, t)).toBe(name);
});
