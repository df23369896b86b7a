import { create } from 'zustand';

/** Actions that end within this time are not shown, in ms. */
const shownAfterMs = 1000;

export type TaskKind = 'removing' | 'moving' | 'copying';

/** A longer action on many entries. */
export interface Task {
  readonly id: number;
  readonly kind: TaskKind;
  readonly total: number;
  readonly finished: number;
  /** Whether the user has stopped it; running requests are finished. */
  readonly isStopping: boolean;
  readonly stop: () => void;
}

/** The shown tasks, the oldest first. */
export const useTasks = create<{ tasks: readonly Task[] }>(() => ({ tasks: [] }));

let lastId = 0;
const change = (id: number, part: Partial<Task>): void =>
  useTasks.setState(({ tasks }) => ({
    tasks: tasks.map((task) => (task.id === id ? { ...task, ...part } : task)),
  }));

/** Calls `run` and, after a second, shows its progress and a stop button. */
export async function runTask<T>(
  kind: TaskKind,
  total: number,
  run: (signal: AbortSignal, onProgress: (finished: number) => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const id = ++lastId;
  let finished = 0;
  const stop = () => {
    abort.abort();
    change(id, { isStopping: true });
  };
  const timer = setTimeout(() => {
    const task: Task = { id, kind, total, finished, isStopping: false, stop };
    useTasks.setState(({ tasks }) => ({ tasks: [...tasks, task] }));
  }, shownAfterMs);
  try {
    return await run(abort.signal, (next) => {
      finished = next;
      change(id, { finished });
    });
  } finally {
    clearTimeout(timer);
    useTasks.setState(({ tasks }) => ({ tasks: tasks.filter((task) => task.id !== id) }));
  }
}
