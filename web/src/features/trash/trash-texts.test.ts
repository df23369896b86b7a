import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../i18n/i18n.ts';
import { trashItem } from './test-items.ts';
import { deletedText, deleterText, timeLeft, totalSize } from './trash-texts.ts';

beforeAll(() => loadTexts('trash'));

const nowMs = Date.parse('2026-11-22T12:00:00Z');
const leftAt = (expiresAt: string | null) => timeLeft(trashItem('a', { expiresAt }), nowMs);

test.each([
  ['2026-12-22T11:59:00Z', '30 days', false],
  ['2026-11-25T12:00:01Z', '4 days', false],
  ['2026-11-25T12:00:00Z', '3 days', true],
  ['2026-11-23T12:00:00Z', '1 day', true],
  ['2026-11-22T17:30:00Z', '6 hrs', true],
  ['2026-11-22T12:10:00Z', 'Less than an hour', true],
  ['2026-11-01T12:00:00Z', 'Less than an hour', true],
  [null, 'No limit', false],
])('shows the time until %s as %j', (expiresAt, text, isShort) => {
  const left = leftAt(expiresAt);
  expect([left.text.replaceAll(' ', ' '), left.isShort]).toEqual([text, isShort]);
});

test('shows the time of deletions of today and yesterday, and the weekday of earlier ones', () => {
  const noonMs = new Date(2026, 10, 22, 12).getTime();
  const textAt = (...at: [number, number, number, number, number]) =>
    deletedText(trashItem('a', { deletedAt: new Date(...at).toISOString() }), noonMs, false);
  expect([textAt(2026, 10, 22, 8, 12), textAt(2026, 10, 21, 21, 20), textAt(2026, 10, 20, 9, 0)]).toEqual([
    'Today 08:12',
    'Yesterday 21:20',
    'Fri 09:00',
  ]);
});

test('calls the user "You", and names others and deleted accounts', () => {
  const by = (deletedBy: string | null) => deleterText(trashItem('a', { deletedBy }), 'ada');
  expect([by('ada'), by('bob'), by(null)]).toEqual(['You', 'bob', 'Deleted account']);
});

test('adds sizes, and says when some are not known', () => {
  expect(totalSize([trashItem('a'), trashItem('b')])).toEqual({ bytes: 2000, isPartial: false });
  expect(totalSize([trashItem('a'), trashItem('b', { size: null })])).toEqual({
    bytes: 1000,
    isPartial: true,
  });
});
