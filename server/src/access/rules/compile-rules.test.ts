import type { Rule } from '@filestead/contract/rules';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { compileRules, normalizeRules } from './compile-rules.ts';

const path = (text: string, allow = false): Rule => ({ regex: false, allow, path: text, regexp: null });
const pattern = (raw: string, allow = false): Rule => ({ regex: true, allow, path: '', regexp: { raw } });

test('the last matching rule decides', async () => {
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
])('matches the path rule %s against %s: %s', async (rule, tried, matches) => {
  expect((await compileRules([path(rule)])).judge(virtualPath(tried)) === false).toBe(matches);
});

test('a rule matches case-insensitively on a case-insensitive file system, an allowing pattern case-sensitively', async () => {
  const rules = await compileRules([path('/Docs/Käse'), pattern('secret'), pattern('open', true)]);
  for (const tried of ['/docs/KÄSE', '/DOCS/käse/a', '/docs/ka\u0308se', '/SECRET']) {
    expect(rules.judge(virtualPath(tried), true), tried).toBe(false);
    expect(rules.judge(virtualPath(tried)), tried).toBeNull();
  }
  expect(rules.judge(virtualPath('/docs/käsebrot'), true)).toBeNull();
  expect(rules.judge(virtualPath('/secret/open'), true)).toBe(true);
  expect(rules.judge(virtualPath('/secret/OPEN'), true)).toBe(false);
});

test.each([
  ['a path rule in composed form', path('/caf\u00e9')],
  ['a path rule in decomposed form', path('/cafe\u0301')],
  ['a pattern in composed form', pattern('^/caf\u00e9(/|$)')],
  ['a pattern in decomposed form', pattern('^/cafe\u0301(/|$)')],
])('%s denies both Unicode forms of a name', async (_title, rule) => {
  const rules = await compileRules([rule]);
  for (const tried of ['/caf\u00e9', '/cafe\u0301', '/caf\u00e9/a', '/cafe\u0301/a']) {
    expect(rules.judge(virtualPath(tried)), tried).toBe(false);
  }
  expect(rules.judge(virtualPath('/cafe'))).toBeNull();
  expect(rules.judge(virtualPath('/caf\u00e9s'))).toBeNull();
});

test('an allowing pattern matches only the Unicode form in which it is written', async () => {
  const rules = await compileRules([path('/'), pattern('^/caf\u00e9$', true)]);
  expect(rules.judge(virtualPath('/caf\u00e9'))).toBe(true);
  expect(rules.judge(virtualPath('/cafe\u0301'))).toBe(false);
});

test.each(['/a\n.env', '/nl\ndir/.env', '/nl\r\ndir/deep/\u2028x.env', '/.env'])(
  'the dot of a pattern matches line breaks in %j',
  async (tried) => {
    const rules = await compileRules([pattern('^/.*\\.env$')]);
    expect(rules.judge(virtualPath(tried))).toBe(false);
  },
);

test('a pattern matches anywhere in the path, repeatably and in linear time', async () => {
  const rules = await compileRules([pattern('\\.key$'), pattern('^/(a+)+$')]);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(rules.judge(virtualPath('/x/server.key'))).toBe(false);
    expect(rules.judge(virtualPath('/x/server.key.txt'))).toBeNull();
  }
  // A backtracking matcher would not terminate here.
  expect(rules.judge(virtualPath(`/${'a'.repeat(200)}!`))).toBeNull();
});

test.each(['(', '(?=x)', '\\1', 'a{2000}'])('the pattern %s is refused', async (raw) => {
  await expect(normalizeRules([pattern(raw)])).rejects.toMatchObject({ code: 'invalid_rule' });
});

test('empty rules are dropped, and paths become canonical', async () => {
  expect(await normalizeRules([path('  '), pattern(' '), path('//a/./b/')])).toEqual([path('/a/b')]);
  await expect(normalizeRules([path('/a/../b')])).rejects.toMatchObject({ code: 'invalid_rule' });
});

test.each([
  ['a denying path below', [path('/docs/secret')], '/docs', true],
  ['a denying path at the folder itself', [path('/docs')], '/docs', true],
  ['a denying path beside', [path('/other')], '/docs', false],
  ['a name that begins like the folder', [path('/docs2/secret')], '/docs', false],
  ['an allowing path below', [path('/docs/open', true)], '/docs', false],
  ['a denying path above, which denies the folder too', [path('/docs')], '/docs/a', false],
  ['a denying path above in another letter case', [path('/Docs')], '/docs/a', true],
  ['a denying path below in another letter case', [path('/Docs/Secret')], '/docs', true],
  ['a denying path below in decomposed form', [path('/cafe\u0301/secret')], '/caf\u00e9', true],
  ['a denying pattern', [pattern('secret$')], '/docs', true],
  ['an allowing pattern', [pattern('^/docs$', true)], '/docs', true],
  ['no rule', [], '/docs', false],
  ['an empty rule', [path(' ')], '/docs', false],
  ['anything below the root', [path('/a/b')], '/', true],
])('with %s, determines whether an entry below a folder may be denied', async (_title, rules, tried, may) => {
  expect((await compileRules(rules)).mayDenyBelow(virtualPath(tried))).toBe(may);
});

test('denies no entry below an allowed folder where no rule may deny one', async () => {
  const names = ['a', 'A', 'b'];
  const below = (folders: readonly string[]): string[] =>
    folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  const [first, second] = [below(['']), below(below(['']))];
  const paths = [...first, ...second, ...below(second)];
  const flags = [true, false];
  const single = paths.flatMap((text) => flags.map((allow) => path(text, allow)));
  for (const [index, rule] of single.entries()) {
    const rules = await compileRules([rule, single[(index * 7 + 3) % single.length] ?? rule]);
    for (const folder of paths) {
      if (rules.mayDenyBelow(virtualPath(folder)) || rules.judge(virtualPath(folder)) === false) continue;
      for (const inner of paths.filter((tried) => tried.startsWith(`${folder}/`)))
        for (const ignoresCase of flags)
          expect(rules.judge(virtualPath(inner), ignoresCase), `${folder} ${inner}`).not.toBe(false);
    }
  }
});
