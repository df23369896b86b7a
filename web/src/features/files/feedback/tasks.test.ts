import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runTask, useTasks } from './tasks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const shown = () => useTasks.getState().tasks;

test('shows a task only after a second, and removes it when it ends', async () => {
  let end: (value: string) => void = () => undefined;
  const done = runTask('moving', 40, (_signal, onProgress) => {
    onProgress(3);
    return new Promise<string>((resolve) => {
      end = resolve;
    });
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(shown()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown()).toMatchObject([{ kind: 'moving', total: 40, finished: 3, isStopping: false }]);
  end('all');
  expect(await done).toBe('all');
  expect(shown()).toEqual([]);
});

test('aborts the signal of a task that is stopped', async () => {
  const done = runTask('removing', 2, async (signal) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    return 'stopped';
  });
  await vi.advanceTimersByTimeAsync(1500);
  shown()[0]?.stop();
  expect(await done).toBe('stopped');
});

test('removes a failed task', async () => {
  const failing = runTask('copying', 1, async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown()).toEqual([]);
});
