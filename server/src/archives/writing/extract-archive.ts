import type { ErrorCode } from '@filestead/contract/errors';
import {
  isValidNewName,
  joinPaths,
  parentOf,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import type { Party } from '../../scheduling/party.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ArchiveIndex, IndexedEntry } from '../reading/archive-index.ts';
import type { ArchiveMember } from '../reading/archive-member.ts';
import { isBomb } from '../reading/limits.ts';
import type { ArchiveReader, OpenArchive } from '../reading/open-archive.ts';
import { observeChunks } from '../../storage/observe-chunks.ts';

/** An archive to extract into a folder of the same storage. */
export interface ExtractArchive {
  readonly from: VirtualPath;
  /** The folder, which exists only if the extraction is resumed. */
  readonly to: VirtualPath;
  readonly party: Party;
  /** Whether an earlier call was interrupted: files that are complete are not written again. */
  readonly isResumed: boolean;
  /** Awaited after all checks and before the folder is created; throws to refuse. */
  readonly beforeChange: () => Promise<void>;
  readonly onProgress: (done: { entries: number; bytes: number }) => void;
  /** Called for each entry that is left out, with its path or name. */
  readonly onSkipped: (path: string, code: ErrorCode) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Errors of one entry, which do not stop the others. */
const skippable: readonly ErrorCode[] = [
  'already_exists',
  'archive_encrypted',
  'forbidden',
  'invalid_name',
  'invalid_path',
  'is_folder',
  'not_a_folder',
  'unsupported_archive_format',
];
/** Files up to this size (bytes) are written concurrently, because each one is flushed. */
const smallBytes = 256 * 1024;
const parallelWrites = 8;

/** Returns the folder of an archive whose entries are extracted: its only folder if it contains nothing else, otherwise the root. */
function extractedFolder({ root }: ArchiveIndex): IndexedEntry {
  const [only, ...others] = root.children?.values() ?? [];
  return only !== undefined && others.length === 0 && only.children !== null ? only : root;
}

/** Returns the destination of an entry. Throws `invalid_path` and `invalid_name`. */
function destinationOf(folder: IndexedEntry, to: VirtualPath, path: VirtualPath): VirtualPath {
  const relative = relativeTo(path, folder.path);
  if (!segmentsOf(relative).every(isValidNewName)) throw new AppError('invalid_name');
  return joinPaths(to, relative);
}

/** Yields the entries below a folder, each folder before its contents. */
function* entriesBelow(folder: IndexedEntry): Generator<IndexedEntry> {
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const child of next.children?.values() ?? []) {
      yield child;
      if (child.children !== null) pending.push(child);
    }
  }
}

/** Throws `storage_full` when the content does not fit into the free space of its destination. */
async function assertSpace(storage: Storage, to: VirtualPath, bytes: number): Promise<void> {
  let folder = parentOf(to);
  while (folder !== '/' && (await storage.stat(folder)) === null) folder = parentOf(folder);
  try {
    const { total, used } = await storage.usage(folder);
    if (bytes > total - used) throw new AppError('storage_full');
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error;
  }
}

/** Calls `work` with an archive that is open while it runs. */
export async function withArchive<T>(
  storage: Storage,
  reader: ArchiveReader,
  { from, party, signal }: Pick<ExtractArchive, 'from' | 'party' | 'signal'>,
  work: (archive: OpenArchive, archiveBytes: number) => Promise<T>,
): Promise<T> {
  const file = await storage.openFile(from);
  try {
    return await work(await reader.open(file, from, { party, signal }), file.entry.size);
  } finally {
    await file.close();
  }
}

/** Extracts one archive. */
class Extraction {
  readonly #storage: Storage;
  readonly #options: ExtractArchive;
  readonly #folder: IndexedEntry;
  readonly #writes = new Set<Promise<void>>();
  #failure: unknown = null;
  #entries = 0;
  #bytes = 0;
  #written = 0;
  #firstSkipped: ErrorCode | null = null;

  constructor(storage: Storage, index: ArchiveIndex, options: ExtractArchive) {
    this.#storage = storage;
    this.#options = options;
    this.#folder = extractedFolder(index);
    for (const { name, code } of index.skipped) this.#skip(name, code);
  }

  async run(archive: OpenArchive): Promise<void> {
    const { to, isResumed, signal } = this.#options;
    const paths = new Map<ArchiveMember, VirtualPath[]>();
    await this.#storage.createFolder(to);
    for (const { path, member, children } of entriesBelow(this.#folder)) {
      signal.throwIfAborted();
      if (children === null && member !== null) {
        const known = paths.get(member);
        if (known === undefined) paths.set(member, [path]);
        else known.push(path);
      } else if (children !== null) {
        await this.#attempt(path, () => this.#createFolder(path, children.size === 0));
      }
    }
    try {
      for await (const { member, content } of archive.files(signal)) {
        for (const path of paths.get(member) ?? []) {
          await this.#attempt(path, () => this.#writeFile(archive, path, member, content));
        }
        if (this.#failure !== null) throw this.#failure;
      }
    } finally {
      await Promise.all(this.#writes);
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#written === 0 && this.#firstSkipped !== null && !isResumed)
      throw new AppError(this.#firstSkipped);
  }

  #skip(path: string, code: ErrorCode): void {
    this.#firstSkipped ??= code;
    this.#options.onSkipped(path, code);
  }

  /** Runs `work` for one entry; records an error that concerns only this entry. */
  async #attempt(path: VirtualPath, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#written += 1;
    } catch (error) {
      if (!isAppError(error, ...skippable)) throw error;
      this.#skip(path, error.code);
    }
    this.#entries += 1;
    this.#report();
  }

  #report(): void {
    this.#options.onProgress({ entries: this.#entries, bytes: this.#bytes });
  }

  async #createFolder(path: VirtualPath, isEmpty: boolean): Promise<void> {
    const destination = destinationOf(this.#folder, this.#options.to, path);
    // Folders that are not empty are created with the first file in them.
    if (isEmpty) await this.#storage.createFolder(destination);
  }

  async #writeFile(
    archive: OpenArchive,
    path: VirtualPath,
    member: ArchiveMember,
    content: () => AsyncGenerator<Uint8Array>,
  ): Promise<void> {
    const { to, isResumed, now, signal } = this.#options;
    const { size, modifiedMs, refusal } = member;
    if (refusal !== undefined) throw new AppError(refusal);
    const destination = destinationOf(this.#folder, to, path);
    if (isResumed) {
      const existing = await this.#storage.stat(destination);
      // A file gets its name when it is complete.
      if (existing?.kind === 'file' && existing.size === size) {
        this.#bytes += size;
        return;
      }
    }
    // A later time would look like a change after the extraction.
    const modified = modifiedMs === null ? null : Math.min(modifiedMs, now());
    const options = {
      mode: 'create',
      createParents: true,
      announcedBytes: size,
      ...(modified === null ? {} : { modifiedNs: BigInt(Math.trunc(modified)) * 1_000_000n }),
      signal,
    } as const;
    // The other paths of a member are hard links; its content was consumed when the first path was written.
    const isFirst = member.path === path;
    const source = observeChunks(isFirst ? content() : archive.content(member, signal), ({ length }) => {
      this.#bytes += length;
      this.#report();
    });
    if (size > smallBytes) {
      await this.#storage.write(destination, source, options);
      return;
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of source) pieces.push(Buffer.from(piece));
    while (this.#writes.size >= parallelWrites) await Promise.race(this.#writes);
    if (this.#failure !== null) throw this.#failure;
    this.#startWrite(
      path,
      async () => void (await this.#storage.write(destination, iterate(pieces), options)),
    );
  }

  /** Starts a write without waiting for it. */
  #startWrite(path: VirtualPath, work: () => Promise<void>): void {
    const writing = work()
      .catch((error: unknown) => {
        if (isAppError(error, ...skippable)) {
          this.#written -= 1;
          this.#skip(path, error.code);
        } else {
          this.#failure ??= error;
        }
      })
      .finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
  }
}

async function* iterate(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/**
 * Extracts an archive into a new folder. Links, special files, and entries that the user may not create are left out and
 * reported. Throws `unsupported_archive_format`, `archive_damaged`, `archive_encrypted`, `archive_too_large`,
 * `storage_full`, and the code of the first entry when nothing could be extracted.
 */
export function extractArchive(
  storage: Storage,
  reader: ArchiveReader,
  options: ExtractArchive,
): Promise<void> {
  return withArchive(storage, reader, options, async (archive, archiveBytes) => {
    const { bytes } = archive.index;
    if (isBomb(archiveBytes, bytes)) throw new AppError('archive_too_large');
    if (!options.isResumed) await assertSpace(storage, options.to, bytes);
    await options.beforeChange();
    await new Extraction(storage, archive.index, options).run(archive);
  });
}

/** Removes the files of an extraction that was cancelled or has failed, and then the empty folders. */
export function removeExtracted(
  storage: Storage,
  reader: ArchiveReader,
  options: Pick<ExtractArchive, 'from' | 'to' | 'party' | 'signal'>,
): Promise<void> {
  return withArchive(storage, reader, options, async ({ index }) => {
    const folder = extractedFolder(index);
    const entries = [...entriesBelow(folder)].filter(({ path }) =>
      segmentsOf(relativeTo(path, folder.path)).every(isValidNewName),
    );
    const { to } = options;
    for (const { path, member, children } of entries) {
      if (children !== null) continue;
      const destination = joinPaths(to, relativeTo(path, folder.path));
      const written = await storage.stat(destination);
      if (written?.kind === 'file' && written.size === member?.size) await storage.remove(destination);
    }
    const folders = entries.filter(({ children }) => children !== null);
    // Parents are listed before their contents.
    for (const { path } of folders.toReversed()) {
      await removeIfEmpty(storage, joinPaths(to, relativeTo(path, folder.path)));
    }
    await removeIfEmpty(storage, to);
  });
}

async function removeIfEmpty(storage: Storage, path: VirtualPath): Promise<void> {
  const found = await storage.statOrList(path);
  if (found?.listing?.names.length === 0) await storage.remove(path);
}
