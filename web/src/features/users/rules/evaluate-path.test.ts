import type { Rule } from '@filestead/contract/rules';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { evaluatePath } from './evaluate-path.ts';

const rule = (allow: boolean, path: string): Rule => ({ allow, regex: false, path, regexp: { raw: '' } });
const pattern = (allow: boolean, raw: string): Rule => ({ allow, regex: true, path: '', regexp: { raw } });

test.each([
  ['without a matching rule', [], '/a', 'visible', null],
  ['that a rule names', [rule(false, '/a')], '/a', 'hidden', 0],
  ['below a denied folder', [rule(false, '/a')], '/a/b/c', 'hidden', 0],
  ['whose name only begins like a denied one', [rule(false, '/docs')], '/docs2', 'visible', null],
  ['denied with a trailing slash', [rule(false, '/docs/')], '/docs', 'hidden', 0],
  ['below the denied root', [rule(false, '/')], '/a', 'hidden', 0],
  ['allowed by a later rule', [rule(false, '/a'), rule(true, '/a/b')], '/a/b/c', 'visible', 1],
  ['denied by a later, shorter rule', [rule(true, '/a/b'), rule(false, '/a')], '/a/b', 'hidden', 1],
  ['with an empty rule', [rule(false, ' ')], '/a', 'visible', null],
  ['with a rule that is not a path', [rule(false, '/../a')], '/a', 'visible', null],
  ['with only a denying pattern', [pattern(false, 'x')], '/a', 'depends', null],
  ['with only an allowing pattern', [pattern(true, 'x')], '/a', 'visible', null],
  ['with a pattern before the matching rule', [pattern(false, 'x'), rule(true, '/a')], '/a', 'visible', 1],
  [
    'with an opposite pattern after the matching rule',
    [rule(false, '/a'), pattern(true, 'x')],
    '/a',
    'depends',
    0,
  ],
  [
    'with an agreeing pattern after the matching rule',
    [rule(false, '/a'), pattern(false, 'x')],
    '/a',
    'hidden',
    0,
  ],
] as const)('evaluates a path %s', (_, rules, path, outcome, decidedBy) => {
  expect(evaluatePath(rules, virtualPath(path))).toEqual({ outcome, decidedBy });
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

test('applies a path rule to both Unicode normalization forms of a name, as the server does', () => {
  expect(evaluatePath([rule(false, '/caf\u00e9')], virtualPath('/cafe\u0301/a')).outcome).toBe('hidden');
});
