import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NameBuffer } from './name-buffer.ts';
import { randomOf } from '../../../test/random.ts';
import { randomName, testWords } from '../catalogue-testing.ts';
import { maxFound } from './plain-scan.ts';

const assembler = new URL('../../../../scripts/assemble-kernel.mjs', import.meta.url).href;
const { kernelModule } = (await import(assembler)) as { kernelModule(): string };

/** All positions of `text` from `from` to `to`. */
function positionsOf(names: NameBuffer, text: string, from = names.start, to = names.end): number[] {
  const { scanner } = names;
  scanner.setText(Buffer.from(text));
  const positions: number[] = [];
  for (let at = from; at < to; at = scanner.next) {
    const count = scanner.scan(at, to);
    positions.push(...Array.from(scanner.found.subarray(0, count), (position) => position - names.start));
  }
  return positions;
}

test('the committed bytes of the kernel are those of its source', () => {
  expect(readFileSync(join(import.meta.dirname, 'scan-kernel.ts'), 'utf8')).toBe(kernelModule());
});

test('the kernel finds the same positions as the plain search', () => {
  const random = randomOf(1);
  const [kernel, plain] = [new NameBuffer(), new NameBuffer({ usesKernel: false })];
  expect(kernel.start).not.toBe(plain.start);
  for (let entry = 0; entry < 5_000; entry++) {
    const name = randomName(random);
    kernel.append(entry, name);
    plain.append(entry, name);
  }
  const texts = [
    ...testWords.map((word) => word.toLowerCase()),
    'e',
    'ee',
    'aaa',
    '\u0001',
    'no such text',
    'a'.repeat(300),
  ];
  for (const text of texts) {
    const expected = positionsOf(plain, text);
    expect(positionsOf(kernel, text), text).toEqual(expected);
    const [from, to] = [random.below(500), 20_000 + random.below(20_000)];
    expect(positionsOf(kernel, text, kernel.start + from, kernel.start + to)).toEqual(
      positionsOf(plain, text, plain.start + from, plain.start + to),
    );
  }
  expect(positionsOf(kernel, 'e').length).toBeGreaterThan(100);
});

test.each([true, false])(
  'a scan continues after the maximum number of positions (kernel: %s)',
  (usesKernel) => {
    const names = new NameBuffer({ usesKernel });
    for (let entry = 0; entry < 400; entry++) names.append(entry, 'a'.repeat(250));
    const positions = positionsOf(names, 'a');
    expect(positions.length).toBe(100_000);
    expect(positions.length).toBeGreaterThan(maxFound);
    expect(new Set(positions).size).toBe(100_000);
  },
);

test.each([
  'plain.txt',
  'CamelCase.JPG',
  'Müller',
  'Mu\u0308ller',
  '写真',
  '\u{10FE80}raw',
  '',
  'İstanbul',
  'ﷺ'.repeat(80),
])('the name %j is restored as it was', (name) => {
  for (const usesKernel of [true, false]) {
    const names = new NameBuffer({ usesKernel });
    names.append(0, 'Before');
    const { position, hasOriginal } = names.append(1, name);
    names.append(2, 'AFTER');
    expect(names.read(1, position, hasOriginal)).toBe(name);
    expect(names.read(0, names.start, false)).toBe('Before');
  }
});
