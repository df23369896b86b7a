/** One thing that will happen later, unless something else is set or it is cancelled. */
export interface ResettableTimer {
  set(delayMs: number, then: () => void): void;
  cancel(): void;
}

/** A delay in which nothing is set. */
export function createResettableTimer(): ResettableTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    set(delayMs, then) {
      clearTimeout(timer);
      timer = setTimeout(then, delayMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
