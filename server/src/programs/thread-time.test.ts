import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { threadNumber, threadTimeMs } from './thread-time.ts';

test.runIf(process.platform === 'linux')('the time of a thread is the time on a processor', async () => {
  const thread = threadNumber() ?? Number.NaN;
  const timeMs = (): number => threadTimeMs(thread) ?? Number.NaN;
  const startMs = timeMs();
  for (const end = performance.now() + 60; performance.now() < end;);
  const workedMs = timeMs();
  expect(workedMs - startMs).toBeGreaterThan(1);
  // The pause is what is measured: a thread that waits uses no time on a processor.
  await sleep(200);
  expect(timeMs() - workedMs).toBeLessThan(100);
});

test('the time of a thread that does not exist is unknown', () => {
  expect(threadTimeMs(0)).toBeNull();
});
