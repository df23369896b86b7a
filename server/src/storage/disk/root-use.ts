import { closeFolder, type Folder } from './paths/folder.ts';

/** Closes the root of a storage that is garbage-collected without having been closed. */
const unclosedRoots = new FinalizationRegistry<Folder>(closeFolder);

/** Counts the calls in progress on a root, and closes the root once it is closing and the last call has ended. */
export class RootUse {
  readonly #root: Folder;
  readonly #onClosed: () => Promise<void>;
  #running = 0;
  #isClosing = false;
  readonly #closed: Promise<void>;
  #resolveClosed: (closed: Promise<void>) => void = () => undefined;
  #isClosed = false;

  constructor(root: Folder, onClosed: () => Promise<void>) {
    this.#root = root;
    this.#onClosed = onClosed;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    unclosedRoots.register(this, root, this);
  }

  /** Must be called before each call on the root. Throws when the storage is closed. */
  begin(): void {
    if (this.#isClosing) throw new Error('the storage is closed');
    this.#running++;
  }

  /** Must be called when a call on the root has ended. */
  end(): void {
    this.#running--;
    this.#release();
  }

  /** Closes the root; resolves once the last call has ended and everything else of the storage is closed. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#release();
    return this.#closed;
  }

  #release(): void {
    if (!this.#isClosing || this.#running > 0 || this.#isClosed) return;
    this.#isClosed = true;
    unclosedRoots.unregister(this);
    closeFolder(this.#root);
    this.#resolveClosed(this.#onClosed());
  }
}
