import { expect, test } from 'vitest';
import { UploadSpeed } from './upload-speed.ts';

test('reports the rate of a steady transfer', () => {
  const speed = new UploadSpeed();
  for (let second = 0; second <= 10; second += 1) speed.sample(second * 2000, second * 1000);
  expect(speed.perSecond).toBeCloseTo(2000);
});

test('is right from the first measurement on, without growing from zero', () => {
  const speed = new UploadSpeed();
  for (let ms = 0; ms <= 2500; ms += 100) speed.sample(ms * 2, ms);
  expect(speed.perSecond).toBeCloseTo(2000);
});

test('smooths a jump and lowers the rate during a stall', () => {
  const speed = new UploadSpeed();
  for (let second = 0; second <= 5; second += 1) speed.sample(second * 1000, second * 1000);
  speed.sample(15_000, 6000);
  expect(speed.perSecond).toBeGreaterThan(1000);
  expect(speed.perSecond).toBeLessThan(6000);
  const before = speed.perSecond;
  speed.sample(15_000, 9000);
  expect(speed.perSecond).toBeLessThan(before / 2);
});

test('reports nothing before there is enough data', () => {
  const speed = new UploadSpeed();
  expect(speed.perSecond).toBe(0);
  speed.sample(0, 0);
  speed.sample(1_000_000, 1);
  expect(speed.perSecond).toBe(0);
});

test('starts a new measurement if the amount decreases', () => {
  const speed = new UploadSpeed();
  speed.sample(0, 0);
  speed.sample(1000, 1000);
  speed.sample(500, 2000);
  speed.sample(1500, 3000);
  expect(speed.perSecond).toBeCloseTo(1000);
});
