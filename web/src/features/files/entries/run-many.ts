/**
 * Maximum number of concurrent requests of one action. More would not be faster, since the server works on one disk.
 */
export const maxParallelRequests = 4;

export interface ManyOutcome<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  readonly failed: readonly { readonly item: T; readonly error: unknown }[];
  /** Items that were not tried because the user cancelled. */
  readonly unprocessed: readonly T[];
}

interface Many<T, R> {
  readonly items: readonly T[];
  readonly run: (item: T) => Promise<R>;
  /** Prevents further requests when aborted; running ones are finished, so that their results are known. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (finished: number) => void;
}

/**
 * Calls `run` for every item with limited concurrency, and never throws for a single item. Outcomes are in the order
 * of the items.
 */
export async function runMany<T, R>({
  items,
  run,
  signal,
  onProgress,
}: Many<T, R>): Promise<ManyOutcome<T, R>> {
  const outcomes: ({ result: R } | { error: unknown } | undefined)[] = items.map(() => undefined);
  let next = 0;
  let finished = 0;
  const isStopped = () => signal?.aborted === true;
  const worker = async (): Promise<void> => {
    while (next < items.length && !isStopped()) {
      const index = next;
      next += 1;
      const item = items[index] as T;
      try {
        outcomes[index] = { result: await run(item) };
      } catch (error) {
        outcomes[index] = { error };
      }
      finished += 1;
      onProgress?.(finished);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallelRequests, items.length) }, worker));
  return groupOutcomes(items, outcomes);
}

function groupOutcomes<T, R>(
  items: readonly T[],
  outcomes: readonly ({ result: R } | { error: unknown } | undefined)[],
): ManyOutcome<T, R> {
  const done: { item: T; result: R }[] = [];
  const failed: { item: T; error: unknown }[] = [];
  const unprocessed: T[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) unprocessed.push(item);
    else if ('error' in outcome) failed.push({ item, error: outcome.error });
    else done.push({ item, result: outcome.result });
  }
  return { done, failed, unprocessed };
}
