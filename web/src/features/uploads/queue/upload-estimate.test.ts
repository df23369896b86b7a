import { expect, test } from 'vitest';
import { UploadEstimate } from './upload-estimate.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** A connection on which each file and each byte takes a fixed time. */
interface Connection {
  readonly msPerFile: number;
  readonly bytesPerMs: number;
}

/** Returns the estimates of a whole upload every 100 ms, with the true remaining time, both in seconds. */
function upload(sizes: readonly number[], { msPerFile, bytesPerMs }: Connection, pauseAt?: [number, number]) {
  const estimate = new UploadEstimate();
  const ends: number[] = [];
  let endMs = 0;
  for (const size of sizes) ends.push((endMs += msPerFile + size / bytesPerMs));
  const [pauseStart, pauseMs] = pauseAt ?? [Infinity, 0];
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const totalMs = endMs + (pauseStart < endMs ? pauseMs : 0);
  const points: { atMs: number; left: number; estimated: number | null }[] = [];
  let done = 0;
  let doneBytes = 0;
  for (let atMs = 0; atMs < totalMs; atMs += 100) {
    const workMs = atMs <= pauseStart ? atMs : Math.max(pauseStart, atMs - pauseMs);
    while (done < sizes.length && (ends[done] ?? 0) <= workMs) doneBytes += sizes[done++] ?? 0;
    const began = done === 0 ? 0 : (ends[done - 1] ?? 0);
    const partial = Math.min(sizes[done] ?? 0, Math.max(0, (workMs - began - msPerFile) * bytesPerMs));
    const sent = { bytes: doneBytes + partial, items: done };
    estimate.sample(sent, atMs);
    points.push({
      atMs,
      left: (totalMs - atMs) / 1000,
      estimated: estimate.secondsFor({ bytes: totalBytes - sent.bytes, items: sizes.length - done }),
    });
  }
  return points;
}

/** The largest relative error from the fifth second on, until three seconds remain. */
function worstError(points: ReturnType<typeof upload>): number {
  const judged = points.filter(({ atMs, left }) => atMs >= 5000 && left > 3);
  expect(judged.length).toBeGreaterThan(20);
  return Math.max(
    ...judged.map(({ left, estimated }) =>
      estimated === null ? Infinity : Math.abs(estimated - left) / left,
    ),
  );
}

const repeat = (count: number, ...sizes: number[]): number[] =>
  Array.from({ length: count }, () => sizes).flat();
const fast = { msPerFile: 5, bytesPerMs: 10_000 };

test.each<[string, number[], Connection, number]>([
  ['many small files', repeat(4000, 4 * kibibyte), fast, 0.05],
  ['many empty files', repeat(4000, 0), fast, 0.05],
  ['one large file', [400 * mebibyte], fast, 0.05],
  ['large files', repeat(20, 30 * mebibyte), fast, 0.1],
  ['photographs', repeat(150, 5 * mebibyte), fast, 0.05],
  ['small files on a slow line', repeat(400, 4 * kibibyte), { msPerFile: 60, bytesPerMs: 100 }, 0.05],
  [
    'folders of small files with a large one each',
    repeat(15, ...repeat(200, 4 * kibibyte), 20 * mebibyte),
    fast,
    0.25,
  ],
])('the estimate is close from the fifth second on for %s', (_title, sizes, connection, tolerance) => {
  expect(worstError(upload(sizes, connection))).toBeLessThan(tolerance);
});

test('there is no estimate before the fourth second', () => {
  const points = upload(repeat(4000, 4 * kibibyte), fast);
  expect(points.filter(({ atMs }) => atMs < 3500).every(({ estimated }) => estimated === null)).toBe(true);
});

test('there is no estimate while only small files were sent and large ones remain, and a close one soon after the first of them', () => {
  const sizes = [...repeat(2000, 4 * kibibyte), ...repeat(10, 100 * mebibyte)];
  const points = upload(sizes, fast);
  const smallMs = 2000 * (5 + (4 * kibibyte) / 10_000);
  const before = points.filter(({ atMs }) => atMs >= 5000 && atMs < smallMs - 500);
  expect(before.every(({ estimated }) => estimated === null)).toBe(true);
  const after = points.filter(({ atMs, left }) => atMs > smallMs + 5000 && left > 3);
  for (const { left, estimated } of after)
    expect(Math.abs((estimated ?? Infinity) - left) / left).toBeLessThan(0.15);
});

test('there is no estimate while only a large file was sent and many small ones remain', () => {
  const points = upload([100 * mebibyte, ...repeat(3000, 4 * kibibyte)], fast);
  const before = points.filter(({ atMs }) => atMs >= 5000 && atMs < 9500);
  expect(before.every(({ estimated }) => estimated === null)).toBe(true);
});

test('the estimate grows while nothing is sent', () => {
  const points = upload([400 * mebibyte], fast, [8000, 4000]);
  const at = (ms: number) => points.find(({ atMs }) => atMs === ms)?.estimated ?? 0;
  expect(at(11_900)).toBeGreaterThan(1.4 * at(8000));
});

test('the speed does not include bytes that the server already had', () => {
  const estimate = new UploadEstimate();
  estimate.sample({ bytes: 0, items: 0 }, 0);
  estimate.shift(9000);
  for (let second = 1; second <= 5; second++)
    estimate.sample({ bytes: 9000 + second * 10, items: 0 }, second * 1000);
  expect(estimate.secondsFor({ bytes: 950, items: 1 })).toBeCloseTo(95, 0);
});
