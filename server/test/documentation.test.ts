import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { errorStatus } from '@filestead/contract/errors';
import { columnKeys } from '@filestead/contract/values/listing-columns';
import { options, variableName } from '../src/config/options.ts';

const top = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');
const documents = [
  ...readdirSync(top).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(top, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test('the configuration reference names every option and its variable', () => {
  const text = read('docs/reference/configuration.md');
  for (const { name } of options) {
    expect(text).toContain(`--${name}\``);
    expect(text).toContain(`FILESTEAD_${variableName(name)}\``);
  }
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

test.each(documents)('%s links only to what exists', (path) => {
  for (const [, target = ''] of read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    expect(existsSync(join(top, dirname(path), target)), target).toBe(true);
  }
});
