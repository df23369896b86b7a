import type { EngineHost } from './catalogue-requests.ts';

/** A changed catalogue is saved after this time without a change, but not more often than every {@link minSaveMs}. */
const saveAfterMs = 30_000;
const minSaveMs = 10 * 60_000;

/** The engine of the catalogue, as {@link ScheduledSave} uses it. */
export interface SaveHost extends Pick<EngineHost, 'after' | 'now'> {
  /** Whether the catalogue is complete; it is not saved while it is built. */
  readonly isComplete: () => boolean;
  /** Writes the file. Throws if that is impossible. */
  readonly write: () => void;
  /** Called after each attempt, with the message of its error. */
  readonly onSaved: (error: string | null) => void;
}

/** Saves the catalogue once it has not changed for a while. */
export class ScheduledSave {
  readonly #host: SaveHost;
  #isDirty = false;
  #savedAtMs = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(host: SaveHost) {
    this.#host = host;
  }

  /** Notes a change. A complete catalogue is saved later. */
  changed(): void {
    this.#isDirty = true;
    if (!this.#host.isComplete()) return;
    this.#cancel?.();
    const sinceSave = this.#host.now() - this.#savedAtMs;
    this.#cancel = this.#host.after(Math.max(saveAfterMs, minSaveMs - sinceSave), () => {
      this.#cancel = null;
      this.save();
    });
  }

  /** Saves the catalogue if it has changed or was not saved before. Returns the message of an error, after which it still counts as changed. */
  save(): string | null {
    if (!this.#host.isComplete() || (!this.#isDirty && this.#savedAtMs > 0)) return null;
    this.#savedAtMs = this.#host.now();
    try {
      this.#host.write();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#host.onSaved(message);
      return message;
    }
    this.#isDirty = false;
    this.#host.onSaved(null);
    return null;
  }
}
