import { expect, test } from 'vitest';
import { withEnglishFallback } from './english-fallback.ts';

const english = {
  title: 'Files',
  nested: { close: 'Close', open: 'Open' },
  count_one: 'One file',
  count_other: '{{number}} files',
};

test('keeps the texts of the language and adds the missing ones in English', () => {
  const german = { title: 'Dateien', nested: { open: 'Öffnen' } };
  expect(withEnglishFallback(german, english, 'de')).toEqual({
    title: 'Dateien',
    nested: { open: 'Öffnen', close: 'Close' },
    count_one: 'One file',
    count_other: '{{number}} files',
  });
});

test('fills every plural form of the language', () => {
  expect(withEnglishFallback({ count_few: '{{number}} pliki' }, english, 'pl')).toEqual({
    title: 'Files',
    nested: { close: 'Close', open: 'Open' },
    count_one: 'One file',
    count_few: '{{number}} pliki',
    count_many: '{{number}} files',
    count_other: '{{number}} files',
  });
});

test('does not add plural forms that the language does not have', () => {
  expect(withEnglishFallback({}, english, 'ja')).not.toHaveProperty('count_one');
});
