import { describe, expect, test } from 'vitest';
import { diffLines, foldEqualLines } from './line-diff.ts';

const marks = { same: ' ', removed: '-', added: '+' } as const;
const compare = (former: string, present: string): string[] =>
  diffLines(former, present).map(({ kind, text }) => `${marks[kind]}${text}`);

describe('a comparison of lines', () => {
  test('marks removed and added lines between equal ones', () => {
    expect(compare('a\nb\nc\n', 'a\nx\nc\n')).toEqual([' a', '-b', '+x', ' c']);
    expect(compare('a\nc', 'a\nb\nc')).toEqual([' a', '+b', ' c']);
    expect(compare('a\nb\nc\nd\ne', 'b\nx\nd\ne\nf')).toEqual(['-a', ' b', '-c', '+x', ' d', ' e', '+f']);
  });

  test('of equal and of empty texts has no differences', () => {
    expect(compare('a\nb', 'a\nb\n')).toEqual([' a', ' b']);
    expect(compare('', '')).toEqual([]);
    expect(compare('', 'a')).toEqual(['+a']);
    expect(compare('a', '')).toEqual(['-a']);
  });

  test('treats Windows line ends as equal', () => {
    expect(compare('a\r\nb\r\n', 'a\nb\n')).toEqual([' a', ' b']);
  });

  test('is the shortest one, and contains both texts', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 50; round++) {
      const text = (): string[] =>
        Array.from({ length: 1 + Math.floor(random() * 12) }, () => 'abc'[Math.floor(random() * 3)] ?? '');
      const [former, present] = [text(), text()];
      const lines = diffLines(former.join('\n'), present.join('\n'));
      expect(lines.filter(({ kind }) => kind !== 'added').map((line) => line.text)).toEqual(former);
      expect(lines.filter(({ kind }) => kind !== 'removed').map((line) => line.text)).toEqual(present);
      expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(former, present));
    }
  });

  test('of completely different long texts is quick', () => {
    const former = Array.from({ length: 20_000 }, (_, index) => `former ${index}`).join('\n');
    const present = Array.from({ length: 20_000 }, (_, index) => `present ${index}`).join('\n');
    expect(diffLines(former, present)).toHaveLength(40_000);
  });
});

/** The length of the longest common subsequence, computed in another way. */
function longestCommon(one: readonly string[], two: readonly string[]): number {
  const row = two.map(() => 0);
  for (const a of one) {
    let diagonal = 0;
    for (const [index, b] of two.entries()) {
      const above = row[index] ?? 0;
      row[index] = a === b ? diagonal + 1 : Math.max(above, row[index - 1] ?? 0);
      diagonal = above;
    }
  }
  return row.at(-1) ?? 0;
}

describe('folding', () => {
  test('hides equal lines that are far from a difference', () => {
    const former = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const present = former.with(10, 'changed');
    const parts = foldEqualLines(diffLines(former.join('\n'), present.join('\n')));
    expect(parts.map((part) => (part.kind === 'hidden' ? part.count : part.lines.length))).toEqual([7, 8, 6]);
  });

  test('shows a single equal line instead of hiding it', () => {
    const former = Array.from({ length: 5 }, (_, index) => `line ${index}`);
    const parts = foldEqualLines(diffLines(former.join('\n'), former.with(4, 'changed').join('\n')));
    expect(parts.map(({ kind }) => kind)).toEqual(['lines', 'lines']);
  });
});
