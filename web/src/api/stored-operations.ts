/** Collects the operations of the server (`X-Operation`) in which content was stored, until they are offered for undo. */
export class StoredOperations {
  readonly #ids = new Set<string>();

  /** Adds the id that a response names; null if it names none. */
  add(id: string | null): void {
    if (id !== null) this.#ids.add(id);
  }

  /** Returns the operations since the last call, the first one first. */
  take(): string[] {
    const ids = [...this.#ids];
    this.#ids.clear();
    return ids;
  }
}

/** The operations of uploads. */
export const uploadOperations = new StoredOperations();
/** The operations of saved texts. */
export const saveOperations = new StoredOperations();
