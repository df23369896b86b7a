import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../i18n/i18n.ts';
import { useTray } from '../../../ui/feedback/tray/tray-store.ts';
import { TaskTray } from './task-tray.tsx';
import { useTasks } from './tasks.ts';

beforeEach(async () => {
  await Promise.all([import('../jobs/tray-panel.tsx'), loadTexts('jobs')]);
  vi.useFakeTimers();
});
afterEach(() => {
  useTasks.setState({ tasks: [] });
  vi.useRealTimers();
});

test('shows a task as soon as it is added, which is a second after it began', async () => {
  render(<TaskTray />);
  const task = { id: 1, kind: 'moving', total: 40, finished: 3, isStopping: false, stop: vi.fn() } as const;
  act(() => useTasks.setState({ tasks: [task] }));
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(useTray.getState().summaries.jobs).toMatchObject({ size: 1, isBusy: true });
});
