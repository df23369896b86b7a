import { exactCodeOf } from '../../../api/exact-code.ts';

/** The result of saving. `version` is the ETag of the saved file, or null when the server sent none. */
export interface SavedVersion {
  version: string | null;
}

/**
 * Saves a document on the server; with `ifVersion` only while the file has that version. Otherwise it throws an error
 * with the `code` `precondition_failed`.
 */
export type SaveDocument<D> = (doc: D, ifVersion: string | null) => Promise<SavedVersion>;

/** The reason why a document was not saved. `conflict`: the file has changed on the server since it was opened. */
export type SaveProblem = { kind: 'conflict' } | { kind: 'failed'; code: string };

/** The state of an open document. */
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

const errorCode = (error: unknown): string => exactCodeOf(error, 'internal_error');

/** The state of one open document: the saved and the edited content, and the result of saving. */
export class EditSession<D> {
  readonly #save: SaveDocument<D>;
  readonly #isEqual: (first: D, second: D) => boolean;
  readonly #listeners = new Set<() => void>();
  #doc: D;
  #saved: D;
  #version: string | null;
  #pendingSave: Promise<boolean> | null = null;
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

  /** Reports the edited document. */
  change(doc: D): void {
    this.#doc = doc;
    const isDirty = !this.#isEqual(doc, this.#saved);
    if (isDirty !== this.#state.isDirty) this.#update({ isDirty });
  }

  /** Replaces the document with the server's version, after a conflict. */
  reload(doc: D, version: string | null): void {
    this.#doc = doc;
    this.#saved = doc;
    this.#version = version;
    this.#update({ isDirty: false, problem: null });
  }

  /** Reports a failure of another operation than saving, such as saving a copy. */
  fail(error: unknown): void {
    this.#update({ problem: { kind: 'failed', code: errorCode(error) } });
  }

  /** Dismisses the problem; the user continues to edit. */
  dismissProblem(): void {
    this.#update({ problem: null });
  }

  /**
   * Saves the current document, after a save that may be running. Resolves with whether the server has stored it; a
   * problem is reported in the state. With `overwrite` a newer version on the server is replaced.
   */
  async save({ overwrite = false }: { overwrite?: boolean } = {}): Promise<boolean> {
    while (this.#pendingSave) await this.#pendingSave;
    if (!overwrite && !this.#state.isDirty) return true;
    this.#pendingSave = this.#write(overwrite);
    try {
      return await this.#pendingSave;
    } finally {
      this.#pendingSave = null;
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
      const code = errorCode(error);
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
