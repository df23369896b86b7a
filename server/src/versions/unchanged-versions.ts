import type { FastifyBaseLogger } from 'fastify';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import type { StoredVersion, VersionRepository } from '../database/version-repository.ts';
import { isAppError } from '../errors.ts';
import { readFully } from '../storage/read-fully.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';
import { withOpenVersion } from './with-open-version.ts';

/** The maximum rate at which contents are compared, and the size of a piece. */
const bytesPerSecond = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** Maximum number of versions that wait for a comparison. Further ones are kept, even if they are equal. */
const maxWaiting = 100_000;

/** The dependencies of {@link UnchangedVersions}. */
export interface UnchangedVersionParts {
  readonly repository: VersionRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Removes the bytes of former states that have the same content as the file that replaced them, for example because a file was
 * uploaded again. The version stays in the list as an unchanged one. Contents are compared in the background, and only if
 * the sizes are equal.
 */
export class UnchangedVersions {
  readonly #parts: UnchangedVersionParts;
  readonly #waiting: string[] = [];
  readonly #controller = new AbortController();
  #running: Promise<void> | null = null;

  constructor(parts: UnchangedVersionParts) {
    this.#parts = parts;
  }

  /** Has to be subscribed after the listener that adds versions to the index. */
  get listener(): FileChangeListener {
    const compare = async ({ kept = [] }: FileChange): Promise<void> => {
      // Undo of a move over an equal file needs both files.
      const ids = kept.flatMap(({ id, kind, cause: { act } }) =>
        kind === 'file' && act !== 'delete' && act !== 'move' ? [id] : [],
      );
      this.#add(ids);
    };
    return { after: compare, aborted: compare };
  }

  /** Removes the bytes of versions that were found to be unchanged before the server ended. */
  async start(): Promise<void> {
    this.#add(await this.#parts.repository.unchangedWithBytes());
  }

  /** Stops the comparison. Versions that were not compared are kept. */
  async close(): Promise<void> {
    this.#controller.abort();
    await this.#running;
  }

  /** Resolves when all waiting versions are compared. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #add(ids: readonly string[]): void {
    if (ids.length === 0 || this.#controller.signal.aborted) return;
    if (this.#waiting.length + ids.length > maxWaiting) return;
    this.#waiting.push(...ids);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    const { repository, log } = this.#parts;
    const { signal } = this.#controller;
    for (let id = this.#waiting.shift(); id !== undefined && !signal.aborted; id = this.#waiting.shift()) {
      try {
        const [version] = await repository.findAll([id]);
        if (version?.purgeAt === null) await this.#compare(version);
      } catch (error) {
        // The files may change or disappear meanwhile.
        if (!isAppError(error)) log.warn({ err: error, version: id }, 'a version could not be compared');
      }
    }
  }

  async #compare(version: StoredVersion): Promise<void> {
    const { repository, storage } = this.#parts;
    const entry = keptEntryOf(version);
    if (!version.isUnchanged) {
      const current = await storage.stat(version.place);
      if (current?.kind !== 'file' || current.size !== version.size) return;
      if (!(await this.#hasContentOf(version)) || !(await repository.setUnchanged(version.id))) return;
    }
    const { purged } = await storage.purge([entry], { signal: this.#controller.signal });
    if (purged.includes(version.id)) await repository.removeBytes(version.id);
  }

  /** Whether the current file has the content of a version. */
  async #hasContentOf(version: StoredVersion): Promise<boolean> {
    const { storage } = this.#parts;
    return withOpenVersion(storage, version, async (former) => {
      const current = await storage.openFile(version.place);
      try {
        if (!(await this.#areEqual(former, current, version.size ?? 0))) return false;
        // The file may have been written in place, or replaced, while it was read.
        const after = await storage.openFile(version.place);
        await after.close();
        return after.fingerprint === current.fingerprint;
      } finally {
        await current.close();
      }
    });
  }

  async #areEqual(one: OpenFile, other: OpenFile, size: number): Promise<boolean> {
    const buffers = [
      Buffer.alloc(Math.min(size, pieceBytes)),
      Buffer.alloc(Math.min(size, pieceBytes)),
    ] as const;
    for (let position = 0; position < size; position += pieceBytes) {
      if (this.#controller.signal.aborted) return false;
      const began = performance.now();
      const [bytes, otherBytes] = await Promise.all([
        readFully(one, buffers[0], position),
        readFully(other, buffers[1], position),
      ]);
      if (bytes !== otherBytes || bytes !== Math.min(pieceBytes, size - position)) return false;
      if (!buffers[0].subarray(0, bytes).equals(buffers[1].subarray(0, bytes))) return false;
      const restMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - began);
      if (restMs >= 1) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    return true;
  }
}
