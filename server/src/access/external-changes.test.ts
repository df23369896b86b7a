import { expect, test } from 'vitest';
import { openExternalChanges } from './external-changes.ts';

/** A refresh that the test finishes. */
function byHand() {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const refresh = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  return { waiting, refresh };
}

test('refreshes nothing while nothing changes, and once for all callers after a change', async () => {
  let changed = false;
  const { waiting, refresh } = byHand();
  const notice = openExternalChanges({
    wasChanged: () => {
      const wasChanged = changed;
      changed = false;
      return wasChanged;
    },
    refresh,
  });
  await notice();
  expect(waiting).toHaveLength(0);
  changed = true;
  const both = Promise.all([notice(), notice()]);
  expect(waiting).toHaveLength(1);
  waiting[0]?.resolve();
  await both;
  await notice();
  expect(waiting).toHaveLength(1);
});

test('waits for a change that arrives during a refresh', async () => {
  let changed = true;
  const { waiting, refresh } = byHand();
  const notice = openExternalChanges({
    wasChanged: () => {
      const wasChanged = changed;
      changed = false;
      return wasChanged;
    },
    refresh,
  });
  const first = notice();
  changed = true;
  let isDone = false;
  const second = notice().then(() => (isDone = true));
  waiting[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(waiting).toHaveLength(2);
  expect(isDone).toBe(false);
  waiting[1]?.resolve();
  await Promise.all([first, second]);
});

test('rejects the waiting callers when a refresh fails, and retries it', async () => {
  let isFirst = true;
  let refreshes = 0;
  const notice = openExternalChanges({
    wasChanged: () => {
      const wasChanged = isFirst;
      isFirst = false;
      return wasChanged;
    },
    refresh: () => {
      refreshes += 1;
      return refreshes === 1 ? Promise.reject(new Error('busy')) : Promise.resolve();
    },
  });
  await expect(notice()).rejects.toThrow('busy');
  await notice();
  await notice();
  expect(refreshes).toBe(2);
});
