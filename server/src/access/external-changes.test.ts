import { expect, test } from 'vitest';
import { openExternalChanges } from './external-changes.ts';

/** Opens changes whose refreshes the test finishes. `change` makes one, which is noticed once; with `isChanged` there is one already. */
function byHand(isChanged: boolean) {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let hasChange = isChanged;
  const notice = openExternalChanges({
    wasChanged() {
      const hadChange = hasChange;
      hasChange = false;
      return hadChange;
    },
    refresh: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
  });
  return { waiting, notice, change: () => void (hasChange = true) };
}

test('refreshes nothing while nothing changes, and once for all callers after a change', async () => {
  const { waiting, notice, change } = byHand(false);
  await notice();
  expect(waiting).toHaveLength(0);
  change();
  const both = Promise.all([notice(), notice()]);
  expect(waiting).toHaveLength(1);
  waiting[0]?.resolve();
  await both;
  await notice();
  expect(waiting).toHaveLength(1);
});

test('waits for a change that arrives during a refresh', async () => {
  const { waiting, notice, change } = byHand(true);
  const first = notice();
  change();
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
