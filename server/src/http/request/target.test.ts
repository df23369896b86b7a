import { expect, test } from 'vitest';
import { isAppError } from '../../errors.ts';
import { matchTarget, parseQuery, withSeparators, withoutBase, withoutOrigin } from './target.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return isAppError(error) ? error.code : 'another error';
  }
};

test.each([
  ['/api/resources', '/', true],
  ['/api/resources/', '/', true],
  ['/api/resources//', '/', true],
  ['/api/resources/a/b', '/a/b', false],
  ['/api/resources/a/b/', '/a/b', true],
  ['/api/resources/a%2Fb', '/a/b', false],
  ['/api/resources//a//./b', '/a/b', false],
  ['/api/resources/%E2%82%AC', '/€', false],
  ['/api/resources/100%25', '/100%', false],
  ['/api/resources/..%5c', '/..\\', false],
  ['/api/resources/..;/x', '/..;/x', false],
  ['/api/resources/%252e%252e%252fx', '/%2e%2e%2fx', false],
])('the target %s is read as %s', (raw, path, isFolderPath) => {
  expect(matchTarget('/api/resources/*', raw).requested).toEqual({ path, isFolderPath });
});

test.each([
  ['/api/resources/../x', 'invalid_path'],
  ['/api/resources/..%2fx', 'invalid_path'],
  ['/api/resources/%2e%2e%2fx', 'invalid_path'],
  ['/api/resources/.%2e/x', 'invalid_path'],
  ['/api/resources%2F..', 'not_found'],
  ['/api/resources/a%00b', 'invalid_path'],
  ['/api/resources/%c0%ae%c0%ae/x', 'invalid_path'],
  ['/api/resources/%zz', 'invalid_path'],
  ['/api/resources/%', 'invalid_path'],
  ['/api/resourcesX', 'not_found'],
])('the target %s is refused: %s', (raw, code) => {
  expect(codeOf(() => matchTarget('/api/resources/*', raw))).toBe(code);
});

test('parameters are whole segments, and an escaped slash ends one', () => {
  expect({ ...matchTarget('/api/users/{id}', '/api/users/7').params }).toEqual({ id: '7' });
  expect(codeOf(() => matchTarget('/api/users/{id}', '/api/users/7/x'))).toBe('not_found');
  expect(matchTarget('/api/users/{id}', '/api/users/7/').params.id).toBe('7');
  expect(codeOf(() => matchTarget('/api/users/{id}', '/api/users/7//'))).toBe('not_found');
  expect(codeOf(() => matchTarget('/api/users/{id}', '/api/users//'))).toBe('not_found');
  expect({ ...matchTarget('/api/operations/{id}/undo', '/api/operations/7/undo').params }).toEqual({
    id: '7',
  });
  for (const other of ['7', '7/', '7/redo', '7/undo/x', '7/undone'])
    expect(codeOf(() => matchTarget('/api/operations/{id}/undo', `/api/operations/${other}`))).toBe(
      'not_found',
    );
  const share = matchTarget('/api/public/dl/{hash}/*', '/api/public/dl/abc%2Ffile.txt');
  expect({ ...share.params }).toEqual({ hash: 'abc' });
  expect(share.requested.path).toBe('/file.txt');
  expect(matchTarget('/api/public/dl/{hash}/*', '/api/public/dl/abc').requested.path).toBe('/');
});

test.each([
  ['/fb/api/users?x=1', '/api/users?x=1'],
  ['/fb', '/'],
  ['/fb?x', '/?x'],
  ['/fbx/api', '/fbx/api'],
  ['/api/users', '/api/users'],
])('below /fb the target %s becomes %s', (target, rest) => {
  expect(withoutBase(target, '/fb')).toBe(rest);
});

test.each([
  ['/api/share%2Fa%2fb?x=%2F', '/api/share/a/b?x=%2F'],
  ['/api%2Fresources%2F..%2Fx', '/api/resources/../x'],
  ['/api/raw/a%252Fb', '/api/raw/a%252Fb'],
  ['/apix%2Fa', '/apix%2Fa'],
  ['/files%2Fa', '/files%2Fa'],
])('the separators of the target %s are decoded to %s', (target, rest) => {
  expect(withSeparators(target)).toBe(rest);
});

test('a query is decoded once, a plus is a space, and the first of two values is used', () => {
  expect({ ...parseQuery('/x?a=1+2&b=%2B%252F&a=3&c&__proto__=x') }).toEqual({
    a: '1 2',
    b: '+%2F',
    c: '',
    ['__proto__']: 'x',
  });
  expect(codeOf(() => parseQuery('/x?a=%ff'))).toBe('bad_request');
});

test.each([
  ['/api/raw/x?y', '/api/raw/x?y'],
  ['//evil.example/x', '//evil.example/x'],
  ['http://host:8080/api/raw/x?y', '/api/raw/x?y'],
  ['HTTPS://host//x', '//x'],
  ['http://host', '/'],
  ['http://host?x', '/?x'],
  ['ftp://host/x', 'ftp://host/x'],
  ['*', '*'],
])('the target %s becomes %s without its server', (target, rest) => {
  expect(withoutOrigin(target)).toBe(rest);
});
