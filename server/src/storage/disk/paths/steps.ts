/**
 * One file-system call that can be made synchronously or asynchronously. Code that runs both on the main thread and in a
 * listing worker is written once, as a generator of such steps.
 */
export interface Step<T> {
  sync(): T;
  async(): Promise<T>;
}

/** Code written as steps; run it with {@link runSync} or {@link runAsync}. */
export type Steps<T> = Generator<Step<unknown>, T, unknown>;

/** Performs `step` and returns its result: `const stats = yield* perform(lstat(at))`. */
export function* perform<T>(step: Step<T>): Steps<T> {
  // The drivers below resume with the result of the yielded step, so that its type is T.
  return (yield step) as T;
}

/** Performs all steps synchronously, blocking the thread. */
export function runSync<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = step.value.sync();
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

/** Performs the steps one after the other without blocking the event loop. */
export async function runAsync<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = await step.value.async();
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}
