/** What saving answers. `version` is the ETag of what is now on the server, or null when it is not known. */
export interface SavedVersion {
  version: string | null;
}

/**
 * Writes a document to the server. With `ifVersion` only while the file still has that version; otherwise it throws an
 * error with the `code` `precondition_failed`.
 */
export type SaveDocument<D> = (doc: D, ifVersion: string | null) => Promise<SavedVersion>;

/** `conflict`: the file has changed on the server since it was opened; nothing was saved. */
export type SaveProblem = { kind: 'conflict' } | { kind: 'failed'; code: string };

export interface EditState {
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** Unix milliseconds of the last save in this session. */
  readonly savedMs: number | null;
  readonly problem: SaveProblem | null;
}

interface SessionStart<D> {
  doc: D;
  version: string | null;
  save: SaveDocument<D>;
  isEqual: (first: D, second: D) => boolean;
}

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal_error';
};

/** Follows one open document: what is on the server, what is in the editor, and whether saving went well. */
export class EditSession<D> {
  readonly #save: SaveDocument<D>;
  readonly #isEqual: (first: D, second: D) => boolean;
  readonly #listeners = new Set<() => void>();
  #doc: D;
  #saved: D;
  #version: string | null;
  #running: Promise<boolean> | null = null;
  #state: EditState = { isDirty: false, isSaving: false, savedMs: null, problem: null };

  constructor({ doc, version, save, isEqual }: SessionStart<D>) {
    this.#doc = doc;
    this.#saved = doc;
    this.#version = version;
    this.#save = save;
    this.#isEqual = isEqual;
  }

  readonly getSnapshot = (): EditState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The editor holds `doc` now. */
  change(doc: D): void {
    this.#doc = doc;
    const isDirty = !this.#isEqual(doc, this.#saved);
    if (isDirty !== this.#state.isDirty) this.#update({ isDirty });
  }

  /** Takes over what the server has now, after a conflict. */
  reload(doc: D, version: string | null): void {
    this.#doc = doc;
    this.#saved = doc;
    this.#version = version;
    this.#update({ isDirty: false, problem: null });
  }

  /** Something else than saving went wrong with the text. */
  fail(error: unknown): void {
    this.#update({ problem: { kind: 'failed', code: codeOf(error) } });
  }

  /** The user goes on editing and decides later. */
  dismissProblem(): void {
    this.#update({ problem: null });
  }

  /**
   * Saves the document as it is now, after a save that may be running. Resolves with whether the server has it; a
   * problem is in the state. With `overwrite` a newer version on the server is replaced.
   */
  async save({ overwrite = false }: { overwrite?: boolean } = {}): Promise<boolean> {
    while (this.#running) await this.#running;
    if (!overwrite && !this.#state.isDirty) return true;
    this.#running = this.#write(overwrite);
    try {
      return await this.#running;
    } finally {
      this.#running = null;
    }
  }

  async #write(overwrite: boolean): Promise<boolean> {
    const doc = this.#doc;
    this.#update({ isSaving: true, problem: null });
    try {
      const { version } = await this.#save(doc, overwrite ? null : this.#version);
      this.#version = version;
      this.#saved = doc;
      const isDirty = !this.#isEqual(this.#doc, doc);
      this.#update({ isSaving: false, savedMs: Date.now(), isDirty });
      return true;
    } catch (error) {
      const code = codeOf(error);
      const problem: SaveProblem =
        code === 'precondition_failed' ? { kind: 'conflict' } : { kind: 'failed', code };
      this.#update({ isSaving: false, problem });
      return false;
    }
  }

  #update(change: Partial<EditState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
