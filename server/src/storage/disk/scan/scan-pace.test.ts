import { describe, expect, it } from 'vitest';
import { ScanPace } from './scan-pace.ts';

describe('the pace of the scanning thread', () => {
  it('takes the whole time, or a quarter of it on a local disk', () => {
    expect(new ScanPace('full').pauseAfter(8_000)).toBe(0);
    expect(new ScanPace('quarter').pauseAfter(5)).toBe(15);
  });

  it('gives a remote disk ten times as long to rest', () => {
    const pace = new ScanPace('remote');
    expect([5, 800, 5_000].map((workedMs) => pace.pauseAfter(workedMs))).toEqual([50, 8_000, 50_000]);
  });

  it('leaves a remote disk alone for ten minutes after three slow slices, and then begins anew', () => {
    const pace = new ScanPace('remote');
    const rests = [6_000, 5, 6_000, 6_000, 6_000].map((workedMs) => pace.pauseAfter(workedMs));
    expect(rests).toEqual([60_000, 50, 60_000, 600_000, 60_000]);
  });
});
