/**
 * Maximum time that CPU work may block the event loop before other events run, in milliseconds, for all such
 * work together.
 */
const maxBlockMs = 4;
/**
 * Maximum number of waiting loops resumed per iteration; their work until the next yield takes about 1 ms.
 */
const maxResumed = 8;
/** The clock is read once per this number of steps. */
const stepsPerCheck = 64;

/** Start of CPU work in the current iteration of the event loop; null before. */
let began: number | null = null;
const waiting: (() => void)[] = [];

/**
 * Runs in the next iteration and resumes some of the waiting loops, so that iterations stay short however
 * many wait.
 */
function turn(): void {
  began = null;
  for (const resume of waiting.splice(0, maxResumed)) resume();
  if (waiting.length > 0) begin();
}

function begin(): number {
  if (began !== null) return began;
  setImmediate(turn);
  began = performance.now();
  return began;
}

/** Whether a long loop has to await {@link yieldToEventLoop} now. */
export const isYieldDue = (): boolean => {
  const since = begin();
  return performance.now() - since > maxBlockMs;
};

/** Resolves in a later iteration of the event loop, in the order of the calls. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    begin();
  });

/** Yields periodically in a loop of many small steps. */
export class Yielder {
  #steps = 0;

  /** Whether {@link yield} is due; call it at each step. */
  isDue(): boolean {
    return ++this.#steps % stepsPerCheck === 0 && isYieldDue();
  }

  yield(): Promise<void> {
    return yieldToEventLoop();
  }
}
