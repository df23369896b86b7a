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

test('where the disk ignores case, path rules match in any letters and Unicode form, patterns as written', async () => {
  const rules = await compileRules([path('/Docs/Käse'), pattern('secret')]);
  for (const tried of ['/docs/KÄSE', '/DOCS/käse/a', '/docs/ka\u0308se']) {
    expect(rules.judge(virtualPath(tried), true), tried).toBe(false);
    expect(rules.judge(virtualPath(tried)), tried).toBeNull();
  }
  expect(rules.judge(virtualPath('/docs/käsebrot'), true)).toBeNull();
  expect(rules.judge(virtualPath('/SECRET'), true)).toBeNull();
});

test('a pattern is searched anywhere, answers the same each time and takes linear time', async () => {
  const rules = await compileRules([pattern('\\.key$'), pattern('^/(a+)+$')]);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(rules.judge(virtualPath('/x/server.key'))).toBe(false);
    expect(rules.judge(virtualPath('/x/server.key.txt'))).toBeNull();
  }
  // A backtracking matcher would not come to an end here.
  expect(rules.judge(virtualPath(`/${'a'.repeat(200)}!`))).toBeNull();
});

test.each(['(', '(?=x)', '\\1', 'a{2000}'])('the pattern %s is refused', async (raw) => {
  await expect(normaliseRules([pattern(raw)])).rejects.toMatchObject({ code: 'invalid_rule' });
});

test('empty rules are dropped, and paths become canonical', async () => {
  expect(await normaliseRules([path('  '), pattern(' '), path('//a/./b/')])).toEqual([path('/a/b')]);
  await expect(normaliseRules([path('/a/../b')])).rejects.toMatchObject({ code: 'invalid_rule' });
});
