import { expect, test } from 'vitest';
import { accepts, acceptsRows } from './accepts.ts';

test.each<[header: string | undefined, isAccepted: boolean]>([
  ['gzip', true],
  ['br , GZIP', true],
  ['gzip;q=0.5', true],
  ['gzip; x=1; q=0.001', true],
  ['gzip;q=0', false],
  ['br, gzip; q=0.000', false],
  ['gzip;q=0;x=1', false],
  ['x-gzip', false],
  ['*', false],
  ['', false],
  [undefined, false],
])('the header %j accepts gzip: %s', (header, isAccepted) => {
  expect(accepts(header, 'gzip')).toBe(isAccepted);
});

test('one of several names is enough', () => {
  expect(accepts('*;q=0.1', 'gzip', '*')).toBe(true);
  expect(accepts('gzip;q=0, *', 'gzip', '*')).toBe(true);
});

test('a wildcard does not request rows', () => {
  expect(acceptsRows('*/*')).toBe(false);
  expect(acceptsRows('application/json, application/x-ndjson')).toBe(true);
});
