/** A timer for at most one action; setting another one replaces it. */
export interface ResettableTimer {
  set(delayMs: number, then: () => void): void;
  cancel(): void;
}

/** Creates a timer that is not set. */
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
