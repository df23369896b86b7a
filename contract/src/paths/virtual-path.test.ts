import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  childOf,
  encodePath,
  extensionOf,
  InvalidPathError,
  isAtOrBelow,
  isValidNewName,
  joinPaths,
  nameOf,
  parentOf,
  parseEncodedPath,
  parsePath,
  relativeTo,
  rootPath,
  segmentsOf,
  virtualPath,
  withNumberSuffix,
} from './virtual-path.ts';

/** Checks the invariants of a canonical path. */
function expectCanonical(path: string): void {
  expect(path.startsWith('/')).toBe(true);
  expect(path).not.toContain('\0');
  expect(path.isWellFormed()).toBe(true);
  if (path === '/') return;
  for (const segment of path.slice(1).split('/')) expect(['', '.', '..']).not.toContain(segment);
}

describe('parseEncodedPath', () => {
  test.each([
    ['', '/', true],
    ['/', '/', true],
    ['//', '/', true],
    ['%2F', '/', true],
    ['/docs', '/docs', false],
    ['/docs/', '/docs', true],
    ['/docs/.', '/docs', true],
    ['/docs%2F', '/docs', true],
    ['//docs///a.txt', '/docs/a.txt', false],
    ['/./docs/./a.txt', '/docs/a.txt', false],
    ['/docs%2Fa.txt', '/docs/a.txt', false],
    ['/a%20b+c', '/a b+c', false],
    ['/100%25', '/100%', false],
    ['/%E6%97%A5%E6%9C%AC', '/日本', false],
    ['/...', '/...', false],
    ['/..a', '/..a', false],
    ['/a..', '/a..', false],
    ['/..;', '/..;', false],
    ['/a\\b', '/a\\b', false],
    ['/..%5c..%5cx', '/..\\..\\x', false],
    ['/%252e%252e%252f', '/%2e%2e%2f', false],
    // Look-alikes are ordinary characters: nothing is normalized, so none can become a dot or a separator (PT-23).
    ['/．．／x', '/．．／x', false],
    ['/\u2024\u2024', '/\u2024\u2024', false],
    ['/\u2215', '/\u2215', false],
  ])('parses %j as %j', (encoded, path, isFolderPath) => {
    expect(parseEncodedPath(encoded)).toEqual({ path, isFolderPath });
  });

  // The encodings of the security cases (PT-01): every form of "one level up" that decodes to a parent segment or to
  // invalid Unicode is refused; the others name ordinary entries.
  test.each([
    '/..',
    '/../x',
    '/..%2fx',
    '/%2e%2e/x',
    '/%2e%2e%2fx',
    '/.%2e/x',
    '/%2e./x',
    '/./../x',
    '//../x',
    '%2f..%2fx',
    '/docs/..',
    '/%c0%ae%c0%ae/x',
    '/%e0%80%ae%e0%80%ae/x',
    '/..%00/x',
    '/a.txt%00.png',
    '/%u002e%u002e/x',
    '/%',
    '/%E0%A4%A',
    '/%ED%A0%80',
    '/%zz',
  ])('refuses %j', (encoded) => {
    expect(() => parseEncodedPath(encoded)).toThrow(InvalidPathError);
  });

  test('refuses paths of millions of empty segments without splitting them', () => {
    expect(virtualPath(`/a${'/.'.repeat(30_000)}`)).toBe('/a');
    expect(() => virtualPath(`/a${'/'.repeat(64 * 1024)}`)).toThrow('path too long');
  });

  test('does not include the input in the error', () => {
    expect(() => parseEncodedPath('/secret/..')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  test.each([
    ['255 bytes', `/${'a'.repeat(255)}`, true],
    ['256 bytes', `/${'a'.repeat(256)}`, false],
    ['63 characters of four bytes', `/${'😀'.repeat(63)}`, true],
    ['64 characters of four bytes', `/${'😀'.repeat(64)}`, false],
    ['256 segments', '/a'.repeat(256), true],
    ['257 segments', '/a'.repeat(257), false],
    ['a path of 4,096 bytes', `/${'a'.repeat(255)}`.repeat(16), true],
    ['a path of 4,097 bytes', `${`/${'a'.repeat(254)}`.repeat(16)}/${'b'.repeat(16)}`, false],
  ])('enforces the limit: %s', (_, path, isAccepted) => {
    if (isAccepted) expect(parsePath(path).path).toBe(path);
    else expect(() => parsePath(path)).toThrow(InvalidPathError);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2F',
      '%2f',
      '%00',
      '%',
      '%25',
      '\\',
      '%5c',
      '..;',
      'a',
      'é',
      '%C3%A9',
      '%c0%ae',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const request = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  test('returns a canonical path or refuses the input, for any input', () => {
    fc.assert(
      fc.property(request, (text) => {
        try {
          expectCanonical(parseEncodedPath(text).path);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidPathError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('encodes and parses a canonical path without changing it', () => {
    fc.assert(
      fc.property(request, (text) => {
        let path;
        try {
          ({ path } = parsePath(text));
        } catch {
          return;
        }
        expect(parsePath(path).path).toBe(path);
        expect(parseEncodedPath(encodePath(path)).path).toBe(path);
        expect(parseEncodedPath(encodePath(path).replaceAll('/', '%2F')).path).toBe(path);
      }),
    );
  });
});

describe('parts of a path', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => isValidNewName(text));
  const path = fc.array(name, { maxLength: 6 }).map((names) => virtualPath(`/${names.join('/')}`));

  test('splits a path into segments, name, parent and child consistently', () => {
    fc.assert(
      fc.property(path, name, (folder, child) => {
        const childPath = childOf(folder, child);
        expect(parentOf(childPath)).toBe(folder);
        expect(nameOf(childPath)).toBe(child);
        expect(segmentsOf(childPath)).toEqual([...segmentsOf(folder), child]);
        expect(isAtOrBelow(childPath, folder)).toBe(true);
        expect(isAtOrBelow(folder, childPath)).toBe(false);
      }),
    );
  });

  test('inverts joinPaths with relativeTo', () => {
    fc.assert(
      fc.property(path, path, (folder, inner) => {
        expect(relativeTo(joinPaths(folder, inner), folder)).toBe(inner);
      }),
    );
  });

  test('gives the root an empty name and itself as parent', () => {
    expect(nameOf(rootPath)).toBe('');
    expect(parentOf(rootPath)).toBe('/');
    expect(parentOf(virtualPath('/a'))).toBe('/');
    expect(segmentsOf(rootPath)).toEqual([]);
  });

  test('treats a sibling with a common name prefix as outside the folder (PT-11)', () => {
    expect(isAtOrBelow(virtualPath('/users/alice2/x'), virtualPath('/users/alice'))).toBe(false);
    expect(() => relativeTo(virtualPath('/users/alice2'), virtualPath('/users/alice'))).toThrow(
      InvalidPathError,
    );
  });

  test.each(['', '.', '..', 'a/b', '/', 'a\0', '\ud800', 'x'.repeat(256)])('refuses %j as a name', (text) => {
    expect(() => childOf(rootPath, text)).toThrow(InvalidPathError);
    expect(isValidNewName(text)).toBe(false);
  });

  test.each(['a\nb', 'a\rb', '\u001b[31m', '\u007f', '\u0085'])(
    'accepts %j for reading but not for creating (PT-09)',
    (text) => {
      expect(nameOf(childOf(rootPath, text))).toBe(text);
      expect(isValidNewName(text)).toBe(false);
    },
  );
});

describe('extensions', () => {
  test.each([
    ['a.txt', '.txt', 'a(1).txt'],
    ['a.tar.gz', '.gz', 'a.tar(1).gz'],
    ['.env', '.env', '(1).env'],
    ['README', '', 'README(1)'],
    ['a.', '.', 'a(1).'],
  ])('splits off the extension of %s', (name, extension, suffixed) => {
    expect(extensionOf(name)).toBe(extension);
    expect(withNumberSuffix(name, 1)).toBe(suffixed);
  });
});
