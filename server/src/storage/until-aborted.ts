/** The values of `source`. Throws the reason of `signal` as soon as it is aborted, even while the source is blocked. */
export async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let refuse: (reason: unknown) => void = () => undefined;
  const onAbort = (): void => refuse(signal.reason);
  signal.addEventListener('abort', onAbort);
  let isAtEnd = false;
  try {
    for (;;) {
      const turn = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        refuse = reject;
        iterator.next().then(resolve, reject);
      });
      isAtEnd = turn.done === true;
      if (turn.done === true) return;
      signal.throwIfAborted();
      yield turn.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The cleanup is not awaited, because a blocked source would block this function too.
    if (!isAtEnd) iterator.return?.().catch(() => undefined);
  }
}
