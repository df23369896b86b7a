import type { Rule } from '@filestead/contract/rules';
import { virtualPath } from '@filestead/contract/virtual-path';
import { expect, test } from 'vitest';
import { compileRules, normaliseRules } from './compile-rules.ts';

const path = (text: string, allow = false): Rule => ({ regex: false, allow, path: text, regexp: null });
const pattern = (raw: string, allow = false): Rule => ({ regex: true, allow, path: '', regexp: { raw } });

test('the last rule that matches decides', async () => {
  const rules = await compileRules([path('/docs'), path('/docs/open', true), pattern('secret')]);
  expect(rules.judge(virtualPath('/docs/a'))).toBe(false);
  expect(rules.judge(virtualPath('/docs/open/a'))).toBe(true);
  expect(rules.judge(virtualPath('/docs/open/secret'))).toBe(false);
  expect(rules.judge(virtualPath('/other'))).toBeNull();
});

test.each([
  ['/docs', '/docs', true],
  ['/docs', '/docs/a', true],
  ['/docs', '/docs2', false],
  ['/docs', '/Docs', false],
  ['/docs/', '/docs', true],
  ['docs', '/docs/a', true],
  ['/', '/anything', true],
])('the path rule %s against %s: %s', async (rule, tried, matches) => {
  expect((await compileRules([path(rule)])).judge(virtualPath(tried)) === false).toBe(matches);
});

test('a pattern is searched anywhere, answers the same each time and takes linear time', async () => {
  const rules = await compileRules([pattern('\\.key$'), pattern('^/(a+)+$')]);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(rules.judge(virtualPath('/x/server.key'))).toBe(false);
    expect(rules.judge(virtualPath('/x/server.key.txt'))).toBeNull();
  }
  const start = performance.now();
  expect(rules.judge(virtualPath(`/${'a'.repeat(200)}!`))).toBeNull();
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each(['(', '(?=x)', '\\1', 'a{2000}'])('the pattern %s is refused', async (raw) => {
  await expect(normaliseRules([pattern(raw)])).rejects.toMatchObject({ code: 'invalid_rule' });
});

test('empty rules are dropped, and paths become canonical', async () => {
  expect(await normaliseRules([path('  '), pattern(' '), path('//a/./b/')])).toEqual([path('/a/b')]);
  await expect(normaliseRules([path('/a/../b')])).rejects.toMatchObject({ code: 'invalid_rule' });
});
