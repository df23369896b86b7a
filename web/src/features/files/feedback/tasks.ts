import { create } from 'zustand';

/** Shorter actions show nothing: their end is news enough. */
const shownAfterMs = 1000;

export type TaskKind = 'removing' | 'moving' | 'copying';

/** An action on many entries that takes its time. */
export interface Task {
  readonly id: number;
  readonly kind: TaskKind;
  readonly total: number;
  readonly finished: number;
  /** The user has asked it to stop; what runs is let end. */
  readonly isStopping: boolean;
  readonly stop: () => void;
}

/** The tasks to show, oldest first. */
export const useTasks = create<{ tasks: readonly Task[] }>(() => ({ tasks: [] }));

let lastId = 0;
const change = (id: number, part: Partial<Task>): void =>
  useTasks.setState(({ tasks }) => ({
    tasks: tasks.map((task) => (task.id === id ? { ...task, ...part } : task)),
  }));

/** Runs `work` and, once it takes longer than a second, shows how far it is and a way to stop it. */
export async function runTask<T>(
  kind: TaskKind,
  total: number,
  work: (signal: AbortSignal, onProgress: (finished: number) => void) => Promise<T>,
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
    return await work(abort.signal, (next) => {
      finished = next;
      change(id, { finished });
    });
  } finally {
    clearTimeout(timer);
    useTasks.setState(({ tasks }) => ({ tasks: tasks.filter((task) => task.id !== id) }));
  }
}
