import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { PlacedKept, TrashRepository } from '../database/trash-repository.ts';
import { isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';

/** Folders that are read from the index at once. */
const foldersAtOnce = 20;
/** Entries between two rests, and the duration of a rest in milliseconds: at most 20,000 entries per second. */
const entriesBetweenRests = 1_000;
const restMs = 50;

/** Measures deleted folders in the background, because deleting a folder does not read its content. */
export class FolderMeasurer {
  readonly #repository: TrashRepository;
  readonly #storage: Storage;
  readonly #log: FastifyBaseLogger;
  readonly #controller = new AbortController();
  /** Folders that cannot be measured. */
  readonly #skipped = new Set<string>();
  #running: Promise<void> | null = null;
  #isRequestedAgain = false;

  constructor(repository: TrashRepository, storage: Storage, log: FastifyBaseLogger) {
    this.#repository = repository;
    this.#storage = storage;
    this.#log = log;
  }

  /** Measures all folders without a size, those deleted meanwhile as well. */
  start(): void {
    if (this.#controller.signal.aborted) return;
    this.#isRequestedAgain = true;
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        if (!this.#controller.signal.aborted)
          this.#log.warn({ err: error }, 'deleted folders were not measured');
      })
      .finally(() => {
        this.#running = null;
        if (this.#isRequestedAgain) this.start();
      });
  }

  /** Stops; the remaining folders are measured after the next start. */
  async close(): Promise<void> {
    this.#controller.abort();
    this.#isRequestedAgain = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    this.#isRequestedAgain = false;
    while (!signal.aborted) {
      const folders = await this.#repository.unmeasured(foldersAtOnce + this.#skipped.size);
      const missing = folders.filter(({ id }) => !this.#skipped.has(id));
      if (missing.length === 0) return;
      for (const folder of missing) await this.#measure(folder);
    }
  }

  async #measure(folder: PlacedKept): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    let bytes = 0;
    let entries = 0;
    try {
      const storage = await this.#storage.kept(keptEntryOf(folder));
      try {
        for await (const { entry } of storage.walk(rootPath, { signal })) {
          if (entry.kind === 'file') bytes += entry.size;
          if (++entries % entriesBetweenRests === 0)
            await new Promise((resolve) => setTimeout(resolve, restMs));
        }
      } finally {
        await storage.close();
      }
      await this.#repository.setSize(folder.id, bytes);
    } catch (error) {
      if (signal.aborted) return;
      this.#skipped.add(folder.id);
      if (!isAppError(error)) throw error;
    }
  }
}
