/** Requests of one action that run at once. More would not be faster: the server works on one disk. */
export const maxParallelRequests = 4;

export interface ManyOutcome<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  readonly failed: readonly { readonly item: T; readonly error: unknown }[];
  /** Not tried because the user cancelled. */
  readonly left: readonly T[];
}

interface Many<T, R> {
  readonly items: readonly T[];
  readonly run: (item: T) => Promise<R>;
  /** Stops new requests; those that run are let end, so that it is known what happened. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (finished: number) => void;
}

/** Runs `run` for every item, a few at a time, and never throws for one of them. Outcomes are in the items' order. */
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
  return sortOutcomes(items, outcomes);
}

function sortOutcomes<T, R>(
  items: readonly T[],
  outcomes: readonly ({ result: R } | { error: unknown } | undefined)[],
): ManyOutcome<T, R> {
  const done: { item: T; result: R }[] = [];
  const failed: { item: T; error: unknown }[] = [];
  const left: T[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) left.push(item);
    else if ('error' in outcome) failed.push({ item, error: outcome.error });
    else done.push({ item, result: outcome.result });
  }
  return { done, failed, left };
}
