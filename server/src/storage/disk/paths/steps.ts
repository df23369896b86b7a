/**
 * One piece of work on the file system that can be done in either way. Code that must run on the event loop and in a
 * listing worker is written once, as a generator of such steps.
 */
export interface Step<T> {
  sync(): T;
  async(): Promise<T>;
}

/** Code written as steps; run it with {@link runSync} or {@link runAsync}. */
export type Steps<T> = Generator<Step<unknown>, T, unknown>;

/** Does `step` and gives its result: `const stats = yield* take(lstat(at))`. */
export function* take<T>(step: Step<T>): Steps<T> {
  // The drivers below answer every step with the step's own result, which is all that this type assertion says.
  return (yield step) as T;
}

/** Does all steps at once, blocking the thread. */
export function runSync<T>(steps: Steps<T>): T {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: unknown;
    try {
      result = turn.value.sync();
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}

/** Does the steps one after the other without blocking the event loop. */
export async function runAsync<T>(steps: Steps<T>): Promise<T> {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: unknown;
    try {
      result = await turn.value.async();
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}
