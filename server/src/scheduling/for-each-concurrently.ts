/**
 * Calls `work` with each of `items` and its index, for at most `width` of them at once, in their order. Rejects with the first
 * error, after which no further calls begin.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let index = 0;
  let hasFailed = false;
  const workNext = async (): Promise<void> => {
    while (!hasFailed) {
      const { done, value } = waiting.next();
      if (done === true) return;
      try {
        await work(value, index++);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, workNext));
}
