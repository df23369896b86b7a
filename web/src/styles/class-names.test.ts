import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const imports = /import (\w+) from '([^']+\.module\.css)'/gu;

/** Returns the classes that a component takes from its style sheets although they do not define them. */
function undefinedClasses(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(imports)].flatMap(([, name = '', path = '']) => {
    const sheet = readFileSync(join(dirname(file), path), 'utf8');
    const defined = new Set([...sheet.matchAll(/\.([a-zA-Z]\w*)/gu)].map(([, className]) => className));
    const used = new Set(
      [...source.matchAll(new RegExp(`(?<![\\w/.-])${name}\\.(\\w+)`, 'gu'))].map(
        ([, className = '']) => className,
      ),
    );
    return [...used]
      .filter((className) => !defined.has(className))
      .map((className) => `${relative(root, file)}: ${path} does not define .${className}`);
  });
}

test('defines every class that a component takes from its style sheet', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file) && !file.includes('.test.'))
    .map((file) => join(root, file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(undefinedClasses)).toEqual([]);
});
