/** Lets a bounded number of works run at once, and the owners of those that wait take turns. */
export interface FairQueue {
  /** Runs `work` when it is its turn; what it throws goes nowhere. */
  add(owner: number, work: () => Promise<void>): void;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
}

/** Opens an empty queue: at most `atOnce` run, of one owner at most `perOwner`. */
export function openFairQueue({ atOnce, perOwner }: { atOnce: number; perOwner: number }): FairQueue {
  /** The owners that wait, whose turn is next first. */
  const waiting = new Map<number, (() => Promise<void>)[]>();
  const runningOf = new Map<number, number>();
  let running = 0;
  const idlers: (() => void)[] = [];

  const ended = (owner: number): void => {
    running -= 1;
    const left = (runningOf.get(owner) ?? 1) - 1;
    if (left === 0) runningOf.delete(owner);
    else runningOf.set(owner, left);
    next();
  };
  const next = (): void => {
    while (running < atOnce) {
      const turn = [...waiting].find(([owner]) => (runningOf.get(owner) ?? 0) < perOwner);
      const work = turn?.[1].shift();
      if (turn === undefined || work === undefined) break;
      const [owner, works] = turn;
      waiting.delete(owner);
      if (works.length > 0) waiting.set(owner, works);
      running += 1;
      runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1);
      const end = (): void => ended(owner);
      work().then(end, end);
    }
    if (running === 0 && waiting.size === 0) for (const resolve of idlers.splice(0)) resolve();
  };

  return {
    add(owner, work) {
      waiting.set(owner, [...(waiting.get(owner) ?? []), work]);
      next();
    },
    idle: () =>
      running === 0 && waiting.size === 0 ? Promise.resolve() : new Promise((r) => idlers.push(r)),
  };
}
