import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { errorStatus } from '@filestead/contract/errors';
import { columnKeys } from '@filestead/contract/values/listing-columns';
import { variableName } from '../src/config/option-names.ts';
import { options } from '../src/config/options.ts';

const top = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');
const documents = [
  ...readdirSync(top).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(top, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test('the configuration reference lists exactly the options of the table, in their order', () => {
  const rows = read('docs/reference/configuration.md')
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) => line.replaceAll(/ +/g, ' '));
  const expected = options.map(({ name, alias, short, description, fallback }) => {
    const flags = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((flag) => `\`${flag}\``);
    const other = alias === undefined ? '' : `; \`--${alias}\` is the same`;
    const cells = [flags.join(', '), `\`FILESTEAD_${variableName(name)}\``, `${description}${other}`];
    return `| ${[...cells, fallback === '' ? '' : `\`${fallback}\``].join(' | ')} |`.replaceAll(/ +/g, ' ');
  });
  expect(rows).toEqual(expected);
});

test('the command line reference lists exactly the sort keys of the contract', () => {
  const [, keys] = /\| `--sorting\.by` +\| (.+?) +\|/.exec(read('docs/reference/command-line.md')) ?? [];
  expect(keys).toBe(columnKeys.map((key) => `\`${key}\``).join(', '));
});

test('the error reference lists exactly the codes of the contract', () => {
  const rows = [...read('docs/reference/errors.md').matchAll(/^\| `(\w+)` +\| (\d{3}) /gm)];
  const documented = Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]));
  expect(documented).toEqual(errorStatus);
});

test('the dependency reference names every production dependency', () => {
  const text = read('docs/reference/dependencies.md');
  for (const part of ['contract', 'server', 'web']) {
    const { dependencies = {} } = JSON.parse(read(`${part}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      if (name.startsWith('@filestead/')) continue;
      const family = name.replace(/^(@codemirror|@fontsource-variable)\/.*/, '$1/*');
      expect(text, name).toContain(`\`${family}\``);
      expect(version, `${name} is pinned`).toMatch(/^\d/);
    }
  }
});

test.each(documents)('%s contains no dead links', (path) => {
  for (const [, target = ''] of read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    expect(existsSync(join(top, dirname(path), target)), target).toBe(true);
  }
});
