import { expect, test } from 'vitest';
import { checkWatches } from './check-programs.ts';

const textsOf = (watchFolders: number | undefined, limit: number): string[] =>
  checkWatches({ watchFolders }, limit).map(({ state, text }) => `${state} ${text}`);

test('the number of watched folders is a quarter of the limit, or the configured one', () => {
  expect(textsOf(undefined, 8_192)).toEqual(['ok up to 2048 folders are watched for changes']);
  expect(textsOf(100, 8_192)).toEqual(['ok up to 100 folders are watched for changes']);
});

test('a limit that is too low for the option or for several users is a warning', () => {
  expect(textsOf(9_000, 8_192)).toEqual([
    'warn --watchFolders is 9000, but the operating system allows 8192: further ones are compared with the disk at intervals instead',
  ]);
  expect(textsOf(undefined, 1_000)).toEqual([
    'warn only 250 folders are watched for changes: further ones are compared with the disk at intervals instead',
  ]);
});

test('nothing is reported where the system has no limit', () => {
  expect(textsOf(undefined, Number.POSITIVE_INFINITY)).toEqual([]);
});
