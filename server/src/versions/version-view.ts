import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { nameKeyFor } from '../access/keeping/kept-entry.ts';
import type { UserContext } from '../access/user-context.ts';
import type { KeptPosition, NameKey } from '../database/trash-repository.ts';
import type { StoredVersion, VersionRepository, WrittenBy } from '../database/version-repository.ts';
import { AppError } from '../errors.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** A version that a user may see. */
export interface VisibleVersion {
  readonly version: StoredVersion;
  /** The present path of its file within the user's scope. */
  readonly path: VirtualPath;
}

/** A page of the versions of a file. */
export interface VisiblePage {
  readonly written: WrittenBy | null;
  readonly versions: readonly VisibleVersion[];
  /** The position after the last version; null on the last page. */
  readonly next: KeptPosition | null;
  readonly total: number;
}

/**
 * Returns the place of a file, with links resolved, under which its versions are recorded. A storage calls its guards with the
 * requested path first and the resolved path last.
 */
async function placeOf(storage: NarrowedStorage, path: VirtualPath): Promise<VirtualPath> {
  let real = path;
  const watched = storage.guarded((resolved) => {
    real = resolved;
  });
  await watched.stat(path);
  return storage.toPlace(real);
}

/**
 * The versions that one user may see now: those of files in the user’s scope that the rules allow, replaced after the scope
 * was last changed.
 */
export class VersionView {
  readonly #repository: VersionRepository;
  readonly #since: number;
  readonly userContext: UserContext;
  readonly storage: NarrowedStorage;

  constructor(
    repository: VersionRepository,
    viewer: {
      readonly userContext: UserContext;
      readonly storage: NarrowedStorage;
      /** The time since which the user has the scope (Unix milliseconds). */
      readonly scopeSince: number;
    },
  ) {
    this.#repository = repository;
    this.userContext = viewer.userContext;
    this.storage = viewer.storage;
    this.#since = viewer.scopeSince;
  }

  /** Returns the version as this user sees it; null when it is hidden from the user, or its file is in the trash. */
  visible(version: StoredVersion): VisibleVersion | null {
    if (version.ownerId !== null || version.parentId !== null || version.keptAt < this.#since) return null;
    const path = this.storage.fromPlace(version.place);
    return path === null || path === '/' || !this.storage.isShown(path) ? null : { version, path };
  }

  /** Returns a version. Throws `not_found` when there is none that the user may see. */
  async find(id: string): Promise<VisibleVersion> {
    const version = await this.#repository.find(id);
    const found = version === null ? null : this.visible(version);
    if (found === null) throw new AppError('not_found');
    return found;
  }

  /** Returns versions of a file, the latest first. Throws `not_found`, `is_folder`, `forbidden`. */
  async list(
    path: VirtualPath,
    { after, limit }: { readonly after: KeptPosition | undefined; readonly limit: number },
  ): Promise<VisiblePage> {
    const entry = await this.storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind === 'folder') throw new AppError('is_folder');
    const place = await placeOf(this.storage, path);
    const keyOf: NameKey = nameKeyFor(this.storage.ignoresCaseAt(path));
    const since = this.#since;
    // One more version shows that there is another page.
    const found = await this.#repository.list(place, keyOf, { after, since, limit: limit + 1 });
    const versions = found.slice(0, limit).flatMap((version) => this.visible(version) ?? []);
    const last = found.length > limit ? found[limit - 1] : undefined;
    return {
      written: await this.#repository.lastChange(place, keyOf),
      versions,
      next: last === undefined ? null : { keptAt: last.keptAt, id: last.id },
      total: await this.#repository.count(place, keyOf, since),
    };
  }

  /** Whether the user may delete the version forever. */
  canDelete({ version }: VisibleVersion): boolean {
    const { id, perm } = this.userContext.user;
    return perm.purge && (perm.admin || version.userId === id) && !version.keepsForever;
  }
}
