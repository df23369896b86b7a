import { expect, test } from 'vitest';
import { cpuTimeMs } from '../../test/cpu-time.ts';
import { findLookAlike } from './look-alike-names.ts';

test.each([
  ['a Cyrillic а', '\u0430dmin', 'admin'],
  ['a Cyrillic А in capitals', '\u0410DMIN', 'admin'],
  ['a Ukrainian і', 'adm\u0456n', 'admin'],
  ['a capital Ukrainian І', '\u0406rene', 'irene'],
  ['a Greek omicron', 'b\u03bfb', 'bob'],
  ['only Cyrillic letters', '\u0441\u0430\u0440\u0430', 'capa'],
  ['an accent on a Cyrillic letter', 'zo\u0451', 'zo\u00eb'],
  ['a dotless ɑ', 'm\u0251ry', 'mary'],
  ['letters that look like two', '\u0430dm\u0456n', 'ADMIN'],
])('a name with %s looks like another one, in either order', (_title, name, other) => {
  expect(findLookAlike(name, ['nobody', other])).toBe(other);
  expect(findLookAlike(other, ['nobody', name])).toBe(name);
});

test.each([
  ['the same name', 'admin', 'admin'],
  ['two ASCII names', 'user1', 'userl'],
  ['two ASCII names with m and rn', 'bam', 'barn'],
  ['another accent', 'zoe', 'zo\u00eb'],
  ['names of one other script', '\u043e\u043b\u044c\u0433\u0430', '\u0438\u0432\u0430\u043d'],
  ['a longer name', '\u0430dmin2', 'admin'],
])('%s does not look like another one', (_title, name, other) => {
  expect(findLookAlike(name, [other])).toBeNull();
});

test('a long list of names is compared in reasonable time', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `user-${index}`);
  const timeMs = cpuTimeMs(() => expect(findLookAlike('\u0430dmin', names)).toBeNull());
  expect(timeMs).toBeLessThan(5_000);
});
