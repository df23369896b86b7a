import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, naturalOrder } from './natural-order.ts';

const sorted = (names: readonly string[]): string[] => [...naturalOrder(names)].map((id) => names[id] ?? '');

describe('natural order', () => {
  test.each([
    ['numbers by value', ['photo1', 'photo2', 'photo10', 'photo100']],
    ['names without regard to case', ['alpha', 'Beta', 'gamma']],
    ['names that differ only in case by code units', ['README', 'Readme', 'readme']],
    [
      'numbers with leading zeros by value, then by the rest, then by code units',
      ['a007', 'a07', 'a7', 'a007x', 'a7y', 'a08'],
    ],
    ['shorter names first', ['a', 'a1', 'ab']],
    ['ASCII characters by code', ['a b', 'a-b', 'a.b', 'a0b', 'aab', 'a~b']],
    ['numbers above 64 bits', ['v18446744073709551615', 'v18446744073709551616', 'v118446744073709551616']],
    ['several numbers one after the other', ['1.2.9', '1.2.10', '1.10.1', '2.0.0']],
    ['letters outside ASCII', ['zebra', 'Äpfel', 'äpfel', 'Ωmega', '日本', '😀']],
    ['zero before one', ['x0', 'x00', 'x01', 'x1']],
    ['an empty name first', ['', ' ', '0']],
  ])('sorts %s', (_, names) => {
    expect(names.toReversed().toSorted(compareNames)).toEqual(names);
    expect(sorted(names.toReversed())).toEqual(names);
  });

  test('places numbers with leading zeros beside equal values', () => {
    expect(sorted(['a08', 'a7', 'a10', 'a007', 'a07'])).toEqual(['a007', 'a07', 'a7', 'a08', 'a10']);
  });

  test('ignores the case of all ASCII letters, also beside the characters between Z and a', () => {
    for (let code = 0x41; code <= 0x5a; code++) {
      const upper = String.fromCodePoint(code);
      const lower = upper.toLowerCase();
      const names = ['_', `${lower}1`, `${upper}2`, `${lower}3`, '~'];
      expect(sorted(names.toReversed())).toEqual(names);
      expect(names.toReversed().toSorted(compareNames)).toEqual(names);
    }
  });

  const name = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'A', 'b', '0', '1', '9', '.', ' ', 'é', 'É', '日', 'İ', '\0', '\u0001'),
      maxLength: 14,
    }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.tuple(fc.nat(30), fc.constantFrom('', 'x', 'IMG_')).map(([n, text]) => `${text}${n}.jpg`),
    fc.nat(40).map((zeros) => `${'0'.repeat(zeros)}1${'9'.repeat(zeros * 8)}`),
  );

  test('is total: different names are never equal, and swapping them inverts the sign', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(compareNames(a, b) === 0).toBe(a === b);
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) || 0);
      }),
    );
  });

  test('is transitive', () => {
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        if (compareNames(a, b) < 0 && compareNames(b, c) < 0) expect(compareNames(a, c)).toBeLessThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  test('is the same in naturalOrder and compareNames, and every name occurs once', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), (names) => {
        expect(sorted(names)).toEqual(names.toSorted(compareNames));
      }),
      { numRuns: 500 },
    );
  });

  test('is correct for inputs above the insertion sort threshold, with long common prefixes', () => {
    const names = Array.from(
      { length: 5000 },
      (_, i) => `${'Report of the year '.repeat(8)}${(i * 7919) % 5000}.txt`,
    );
    expect(sorted(names)).toEqual(names.toSorted(compareNames));
    expect(sorted(Array.from({ length: 300 }, () => 'same'))).toHaveLength(300);
  });
});
