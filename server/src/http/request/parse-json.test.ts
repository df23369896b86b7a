import { describe, expect, test } from 'vitest';
import { type Random, randomOf } from '../../../test/random.ts';
import { JsonScanner } from './json-scanner.ts';
import { parseJson, parseJsonInParts } from './parse-json.ts';

/** Parses a body that arrives in pieces of `chunkBytes`, with lists in parts of about `partBytes`. */
async function parseInParts(text: string, chunkBytes: number, partBytes: number): Promise<unknown> {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(Infinity, partBytes);
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    scanner.scan(bytes.subarray(start, start + chunkBytes));
  }
  return parseJsonInParts(bytes, scanner.lists);
}

const strings = ['', 'a', '],[', '"', '\\', '{"x":[1,2]}', 'é\u{1F600}', '\\"', ',', '__proto__', '\n'];

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 4 : 6);
  if (kind === 0) return random.below(1_000) - 500;
  if (kind === 1) return strings[random.below(strings.length)];
  if (kind === 2) return null;
  if (kind === 3) return random.below(2) === 0;
  const members = Array.from({ length: random.below(6) }, () => randomValue(random, depth + 1));
  if (kind === 4) return members;
  return Object.fromEntries(members.map((member) => [strings[random.below(strings.length)], member]));
}

test('a body parsed in parts gives the same value as a whole', async () => {
  const random = randomOf(1);
  for (let round = 0; round < 2_000; round++) {
    const text = JSON.stringify(
      { list: [randomValue(random, 0)], other: randomValue(random, 0) },
      null,
      random.below(3),
    );
    const parsed = await parseInParts(text, 1 + random.below(9), 1 + random.below(9));
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
  }
});

test('a body that is not JSON is refused in parts and as a whole', async () => {
  const random = randomOf(2);
  const noise = ['[', ']', '{', '}', ',', '"', ':', '0', ' ', '\\'];
  for (let round = 0; round < 4_000; round++) {
    const text = JSON.stringify({ list: [randomValue(random, 1), 1], other: randomValue(random, 1) });
    const position = random.below(text.length);
    const broken =
      text.slice(0, position) +
      (noise[random.below(noise.length)] ?? '') +
      text.slice(position + random.below(2));
    let whole: string | undefined;
    try {
      whole = JSON.stringify(parseJson(Buffer.from(broken)));
    } catch {
      whole = 'refused';
    }
    const inParts = await parseInParts(broken, 1 + random.below(9), 1 + random.below(9)).then(
      (value) => JSON.stringify(value),
      () => 'refused',
    );
    expect(inParts, broken).toBe(whole);
  }
});

describe('a JSON scanner', () => {
  const scan = (text: string, maxElements = 10): void => new JsonScanner(maxElements).scan(Buffer.from(text));

  test('refuses more elements than are allowed, and counts none inside strings', () => {
    expect(() => scan(`[${'1,'.repeat(20)}1]`)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
    expect(() => scan('[[],[],[],[],[],[]]')).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    expect(() => scan(JSON.stringify([',[{'.repeat(50)]))).not.toThrow();
  });

  test('refuses more levels than are allowed', () => {
    expect(() => scan('['.repeat(64), 1_000)).not.toThrow();
    expect(() => scan('['.repeat(65), 1_000)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});
