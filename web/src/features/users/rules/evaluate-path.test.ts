import type { Rule } from '@filestead/contract/rules';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { evaluatePath, pathOfText } from './evaluate-path.ts';

const rule = (allow: boolean, path: string): Rule => ({ allow, regex: false, path, regexp: { raw: '' } });
const pattern = (allow: boolean, raw: string): Rule => ({ allow, regex: true, path: '', regexp: { raw } });

test.each([
  ['nothing matches', [], '/a', 'visible', null],
  ['the path itself', [rule(false, '/a')], '/a', 'hidden', 0],
  ['what is below', [rule(false, '/a')], '/a/b/c', 'hidden', 0],
  ['not what only starts alike', [rule(false, '/docs')], '/docs2', 'visible', null],
  ['a closing slash means nothing', [rule(false, '/docs/')], '/docs', 'hidden', 0],
  ['the root holds everything', [rule(false, '/')], '/a', 'hidden', 0],
  ['the last match wins', [rule(false, '/a'), rule(true, '/a/b')], '/a/b/c', 'visible', 1],
  ['the order counts, not the length', [rule(true, '/a/b'), rule(false, '/a')], '/a/b', 'hidden', 1],
  ['an empty rule says nothing', [rule(false, ' ')], '/a', 'visible', null],
  ['what is not a path matches nothing', [rule(false, '/../a')], '/a', 'visible', null],
  ['a denying pattern alone', [pattern(false, 'x')], '/a', 'depends', null],
  ['an allowing pattern alone', [pattern(true, 'x')], '/a', 'visible', null],
  ['a pattern before the match', [pattern(false, 'x'), rule(true, '/a')], '/a', 'visible', 1],
  ['an opposite pattern behind it', [rule(false, '/a'), pattern(true, 'x')], '/a', 'depends', 0],
  ['an agreeing pattern behind it', [rule(false, '/a'), pattern(false, 'x')], '/a', 'hidden', 0],
] as const)('%s', (_, rules, path, outcome, decidedBy) => {
  expect(evaluatePath(rules, virtualPath(path))).toEqual({ outcome, decidedBy });
});

test('parses a typed text into a path, or null', () => {
  expect(pathOfText(' private//x/ ')).toBe('/private/x');
  expect(pathOfText('/a/../b')).toBeNull();
});

test.each([
  ['insensitive', '/SECRET/a', 'hidden'],
  ['sensitive', '/SECRET/a', 'visible'],
  ['mixed', '/SECRET/a', 'depends'],
  ['mixed', '/secret/a', 'hidden'],
] as const)('evaluates a path rule on %s file systems for %s as %s', (letterCase, path, outcome) => {
  expect(
    evaluatePath(
      [rule(false, '/Secret'), rule(false, '/secret')].slice(letterCase === 'insensitive' ? 0 : 1),
      virtualPath(path),
      letterCase,
    ).outcome,
  ).toBe(outcome);
});

test('applies a path rule to both Unicode normalisation forms of a name, as the server does', () => {
  expect(evaluatePath([rule(false, '/caf\u00e9')], virtualPath('/cafe\u0301/a')).outcome).toBe('hidden');
});
