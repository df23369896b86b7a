import { expect, test, vi } from 'vitest';
import { lazyPart } from './lazy-part.ts';

test('a part is used once other code has loaded it, until its user stops', async () => {
  const part = lazyPart(() => Promise.resolve('module'));
  const end = vi.fn();
  const use = vi.fn<(module: string) => () => void>(() => end);
  const stop = part.whenLoaded(use);
  expect([use.mock.calls, part.peek()]).toEqual([[], null]);
  await part.load();
  expect(use.mock.calls).toEqual([['module']]);
  expect(end).not.toHaveBeenCalled();
  stop();
  expect(end).toHaveBeenCalledOnce();
});

test('a loaded part is used at once, but not by code that has stopped waiting', async () => {
  const part = lazyPart(() => Promise.resolve('module'));
  const stopped = vi.fn<() => () => void>(() => () => undefined);
  part.whenLoaded(stopped)();
  await part.load();
  expect(stopped).not.toHaveBeenCalled();
  const use = vi.fn<() => () => void>(() => () => undefined);
  part.whenLoaded(use);
  expect(use).toHaveBeenCalledOnce();
});
