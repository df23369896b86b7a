/** A generator of pseudorandom numbers: the same for the same seed. */
export interface Random {
  /** A number from 0 to 1, exclusive. */
  next(): number;
  /** A whole number from 0 to `max`, exclusive. */
  below(max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The seed of a run of random tests, which name it in their titles: a new one, or `FILESTEAD_SEED` to repeat a run. */
export const seedOfRun = (): number => Number(process.env['FILESTEAD_SEED'] ?? Date.now() % 1_000_000_000);

/** Opens a generator (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number): number => Math.floor(next() * max);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
  };
}
