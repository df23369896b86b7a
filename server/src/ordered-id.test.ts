import { expect, test } from 'vitest';
import { newOrderedId } from './ordered-id.ts';

const time = Date.UTC(2026, 10, 23);

test('generates a UUID of version 7 with the time', () => {
  const hex = Buffer.from(newOrderedId(time), 'base64url').toString('hex');
  expect(hex).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(time);
});

test('never generates the same id twice at one moment', () => {
  const ids = Array.from({ length: 1000 }, () => newOrderedId(time));
  expect(new Set(ids).size).toBe(1000);
});

test('gives ids of one moment the same beginning', () => {
  expect(newOrderedId(time).slice(0, 8)).toBe(newOrderedId(time).slice(0, 8));
  expect(newOrderedId(time).slice(0, 8)).not.toBe(newOrderedId(time + 1).slice(0, 8));
});
