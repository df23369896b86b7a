/** Serializes work with the same key; work with different keys runs in parallel. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work with the same key has ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#tails.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === turn) this.#tails.delete(key);
    }
  }

  /** Runs `work` while holding several locks. They are always acquired in the same order, which prevents deadlocks. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return [...new Set(keys)].sort().reduceRight((inner, key) => () => this.run(key, inner), work)();
  }
}
