import { deflateRawSync, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateDamaged } from './inflate-damaged.ts';

const text = Array.from({ length: 20_000 }, (_, i) => `line ${i * 7919} of the text\n`).join('');
const inflate = (data: Uint8Array, isRaw = false, maxBytes = 1e7): string | null => {
  const bytes = inflateDamaged(data, { isRaw, maxBytes });
  return bytes && Buffer.from(bytes).toString();
};
const damage = (data: Buffer, from: number): Buffer => {
  const damaged = Buffer.from(data);
  damaged.fill(0xff, from, Math.min(from + 20, data.length));
  return damaged;
};

test('data without its end, without its checksum or with a wrong header is decompressed', () => {
  const whole = deflateSync(text);
  expect(inflate(whole)).toBe(text);
  expect(inflate(damage(whole, whole.length - 4))).toBe(text);
  const withoutHeader = Buffer.from(whole);
  withoutHeader[0] = 0x31;
  expect(inflate(withoutHeader)).toBe(text);
  const cut = inflate(whole.subarray(0, whole.length / 2)) ?? '';
  expect(text.startsWith(cut)).toBe(true);
  expect(cut.length).toBeGreaterThan(text.length / 3);
});

test.each([
  ['with', false],
  ['without', true],
])('the part in front of damage is kept, %s the header of zlib', (_name, isRaw) => {
  const whole = isRaw ? deflateRawSync(text) : deflateSync(text);
  const kept = inflate(damage(whole, Math.floor(whole.length * 0.9)), isRaw) ?? '';
  let same = 0;
  while (same < kept.length && kept[same] === text[same]) same++;
  expect(same).toBeGreaterThan(text.length * 0.85);
});

test('returns nothing for other data, and null for data that is too long', () => {
  expect(inflate(Buffer.alloc(0))).toBe('');
  expect(inflate(Buffer.alloc(100, 0xff))).toBe('');
  expect(inflate(deflateSync(text), false, 1000)).toBeNull();
  expect(inflate(damage(deflateSync(text), 30_000), false, 1000)).toBeNull();
});
