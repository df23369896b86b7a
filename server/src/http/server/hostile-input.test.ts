import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { parseRange, parseRanges } from '../request/byte-range.ts';
import { contentDisposition } from '../files/content-disposition.ts';
import { mediaTypeOfName, sniffMediaType } from '../../media-types/media-type.ts';
import { checkPreconditions } from '../request/preconditions.ts';
import { readCredentials } from '../request/read-credentials.ts';
import { matchTarget, parseQuery, rawPathOf, withoutBase } from '../request/target.ts';

/** Generates texts from `known` hostile fragments and arbitrary characters. */
const hostileText = (...known: string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary', maxLength: 3 })), {
      maxLength: 12,
    })
    .map((pieces) => pieces.join(''));

/**
 * Returns the result of `work`, or undefined if it refuses with an error for clients. Any other error fails
 * the test.
 */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

const target = hostileText(
  '/',
  '//',
  '..',
  '.',
  '%2e',
  '%2f',
  '%5c',
  '%00',
  '%',
  '%zz',
  '%c0%ae',
  '\\',
  '?',
  '&',
  '=',
  ';',
  '+',
  'a',
  'http://x',
);

describe('random hostile input', () => {
  test('a target is refused, or leads to a canonical path below its prefix', () => {
    fc.assert(
      fc.property(
        target,
        fc.constantFrom('/api/resources/*', '/api/preview/{size}/*', '/api/users/{id}'),
        (text, template) => {
          const found = unlessRefused(() => matchTarget(template, rawPathOf(`/api/${text}`)));
          const exact = unlessRefused(() =>
            matchTarget(template, rawPathOf(template.replace(/[{*].*$/, '') + text)),
          );
          for (const match of [found, exact]) {
            if (match === undefined) continue;
            const { path } = match.requested;
            expect(path.split('/')).not.toContain('..');
            expect(path).not.toContain('\0');
            expect(parsePath(path).path).toBe(path);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('a query is refused, or becomes a record without a prototype', () => {
    fc.assert(
      fc.property(target, (text) => {
        const query = unlessRefused(() => parseQuery(`/x?__proto__=1&${text}`));
        if (query === undefined) return;
        expect(Object.getPrototypeOf(query)).toBeNull();
        for (const value of Object.values(query)) expect(typeof value).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });

  test('a base URL is removed as whole segments or not at all', () => {
    fc.assert(
      fc.property(target, (text) => {
        expect(withoutBase(`/base/${text}`, '/base')).toBe(`/${text}`);
        if (/^[/?]/.test(text) || text === '') return;
        expect(withoutBase(`/base${text}`, '/base')).toBe(`/base${text}`);
      }),
    );
  });

  test('ranges are inside the file and their number is limited', () => {
    const header = hostileText(
      'bytes=',
      '-',
      ',',
      '0',
      '1',
      '9',
      '99999999999999999999',
      ' ',
      '=',
      'x',
      '0-',
      '-0',
    );
    fc.assert(
      fc.property(header, fc.nat({ max: 1_000 }), (text, size) => {
        for (const rangeHeader of [text, `bytes=${text}`]) {
          const one = parseRange(rangeHeader, size);
          const several = parseRanges(rangeHeader, size);
          const ranges = one === null || one === 'unsatisfiable' ? [] : [one];
          const parts = several === null || several === 'unsatisfiable' ? [] : several;
          for (const { first, last } of [...ranges, ...parts]) {
            expect(Number.isInteger(first) && Number.isInteger(last)).toBe(true);
            expect(first >= 0 && first <= last && last < size).toBe(true);
          }
          expect(parts.reduce((sum, { first, last }) => sum + last - first + 1, 0)).toBeLessThanOrEqual(size);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('the media type of any bytes and any name is well-formed or unknown', () => {
    const typeForm = /^[\w.+-]+\/[\w.+-]+$/;
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 512 }),
        fc.string({ unit: 'binary', maxLength: 40 }),
        (head, name) => {
          expect(sniffMediaType(head)).toMatch(typeForm);
          const known = mediaTypeOfName(name);
          if (known !== null) expect(known).toMatch(typeForm);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const name of ['__proto__', 'x.__proto__', 'x.constructor', 'x.toString', '.hasOwnProperty']) {
      expect(mediaTypeOfName(name)).toBeNull();
    }
  });

  test('any name becomes one header line of printable ASCII', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom('attachment', 'inline'),
        (name, kind) => {
          const value = contentDisposition(kind as 'attachment' | 'inline', name);
          expect(value).toMatch(/^(?:attachment|inline); [ -~]*$/);
          expect(value.match(/(?<!\\)"/g) ?? []).toHaveLength(2);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('any conditional headers are evaluated', () => {
    const value = hostileText(
      '"',
      'W/',
      '*',
      ',',
      ' ',
      'abc',
      'Sat, 21 Nov 2026 09:00:00 GMT',
      '-1',
      '99999999999999',
    );
    const validators = { tag: '"abc"', modifiedMs: 1_795_251_600_000 };
    fc.assert(
      fc.property(value, value, (first, second) => {
        const headers = {
          'if-match': first,
          'if-none-match': second,
          'if-modified-since': first,
          'if-unmodified-since': second,
        };
        expect(() => checkPreconditions(headers, validators)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });

  test('at most four well-formed credentials are read from any headers', () => {
    const cookie = hostileText('filestead_session=', 'auth=', ';', '=', 'a.b.c', 'abc', '"', ' ', ',');
    fc.assert(
      fc.property(cookie, hostileText('a', '.', '-', '%'), (text, token) => {
        const found = readCredentials({ cookie: text, 'x-auth': token }, token, true);
        expect(found.length).toBeLessThanOrEqual(4);
        for (const { value } of found) expect(value).toMatch(/^[\w-]+(?:\.[\w-]+\.[\w-]+)?$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
