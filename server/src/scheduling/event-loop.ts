/** So long may work on texts and lists hold the event loop before everybody else gets a turn, all such work together. */
const turnMs = 4;
/** So many of those who wait go on in one turn; what they do before they ask again takes about 1 ms. */
const resumedAtOnce = 8;
/** A clock is looked at once in so many steps. */
const stepsPerLook = 64;

/** When such work began in the present turn of the event loop; null before. */
let began: number | null = null;
const waiting: (() => void)[] = [];

/** The next turn: some of those who wait go on, so that a turn stays short however many they are. */
function turn(): void {
  began = null;
  for (const resume of waiting.splice(0, resumedAtOnce)) resume();
  if (waiting.length > 0) begin();
}

function begin(): number {
  if (began !== null) return began;
  setImmediate(turn);
  began = performance.now();
  return began;
}

/** Whether long work has to await {@link yieldToEventLoop} now. */
export const isYieldDue = (): boolean => {
  const since = begin();
  return performance.now() - since > turnMs;
};

/** Resolves when it is the caller's turn to go on, after all who asked before. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    begin();
  });

/** Lets a loop of many small steps give way now and then. */
export class Yielder {
  #steps = 0;

  /** Whether it is time for {@link yield}; to be asked at each step. */
  isDue(): boolean {
    return ++this.#steps % stepsPerLook === 0 && isYieldDue();
  }

  yield(): Promise<void> {
    return yieldToEventLoop();
  }
}
