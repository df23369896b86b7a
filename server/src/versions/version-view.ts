import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { nameKeyFor } from '../access/keeping/kept-entry.ts';
import type { UserContext } from '../access/user-context.ts';
import type { KeptPosition, NameKey } from '../database/trash-repository.ts';
import type {
  LoggedState,
  StoredVersion,
  VersionRepository,
  WrittenBy,
} from '../database/version-repository.ts';
import { AppError } from '../errors.ts';
import { isSameTime } from '../storage/modification-time.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** A version that a user may see. */
export interface VisibleVersion {
  readonly version: StoredVersion;
  /** The current path of its file within the user's scope. */
  readonly path: VirtualPath;
}

/** A version in a list. */
export interface ListedVersion extends VisibleVersion {
  /** Whether another program has changed the file in place after the change that the log contains. */
  readonly isChangedOutside: boolean;
}

/** A page of the versions of a file. */
export interface VisiblePage {
  readonly written: WrittenBy | null;
  /** Whether another program has changed the current state since. */
  readonly isChangedOutside: boolean;
  readonly versions: readonly ListedVersion[];
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

/** Whether a logged change has left a file in this state. */
const isLeftBy = (
  logged: LoggedState,
  { size, modifiedNs }: { readonly size: number; readonly modifiedNs: bigint },
): boolean => logged.size === size && isSameTime(modifiedNs, BigInt(logged.modifiedNs));

/** Returns the logged change that has created a file in this state; null if there is none. */
const creationOf = (
  logged: readonly LoggedState[],
  state: { readonly size: number; readonly modifiedNs: bigint },
): WrittenBy | null =>
  logged.find((each) => each.createdBy !== null && isLeftBy(each, state))?.createdBy ?? null;

/**
 * Whether another program has changed a state after the change `written`, and before `until` (Unix milliseconds): a change of that
 * time is logged, but no logged change has left the file in this state.
 */
function wasChangedOutside(
  logged: readonly LoggedState[],
  written: WrittenBy | null,
  state: { readonly size: number; readonly modifiedNs: bigint },
  until: number,
): boolean {
  if (written === null || !logged.some(({ time }) => time >= written.time && time <= until)) return false;
  return !logged.some((each) => isLeftBy(each, state));
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

  /**
   * Returns the version of a file that the user may open by its address; null when it is hidden from the user, or its
   * file is in the trash.
   */
  visible(version: StoredVersion): VisibleVersion | null {
    if (version.ownerId !== null || version.parentId !== null || version.keptAt < this.#since) return null;
    const path = this.storage.fromPlace(version.place);
    return path === null || path === '/' || !this.storage.isAllowed(path) ? null : { version, path };
  }

  /** Returns a version with its content. Throws `not_found` when there is none that the user may see. */
  async find(id: string): Promise<VisibleVersion> {
    const version = await this.#repository.find(id);
    const found = version === null || version.isUnchanged ? null : this.visible(version);
    if (found === null) throw new AppError('not_found');
    return found;
  }

  /** Whether it is a version of the file at `path`. */
  async isOf({ version }: VisibleVersion, path: VirtualPath): Promise<boolean> {
    const keyOf = nameKeyFor(this.storage.ignoresCaseAt(path));
    return keyOf(await placeOf(this.storage, path)) === keyOf(version.place);
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
    const logged = await this.#repository.loggedStates(place, keyOf);
    const versions = found.slice(0, limit).flatMap((version): ListedVersion[] => {
      const visible = this.visible(version);
      if (visible === null) return [];
      const state = { size: version.size ?? 0, modifiedNs: BigInt(version.modifiedNs) };
      const isChangedOutside =
        !version.isUnchanged && wasChangedOutside(logged, version.written, state, version.keptAt);
      return [{ ...visible, isChangedOutside }];
    });
    const last = found.length > limit ? found[limit - 1] : undefined;
    const written = (await this.#repository.lastChange(place, keyOf)) ?? creationOf(logged, entry);
    return {
      written,
      isChangedOutside: wasChangedOutside(logged, written, entry, Infinity),
      versions,
      next: last === undefined ? null : { keptAt: last.keptAt, id: last.id },
      total: await this.#repository.count(place, keyOf, since),
    };
  }

  /** Whether the user may delete the version forever. */
  canDelete({ version }: VisibleVersion): boolean {
    const { id, perm } = this.userContext.user;
    if (version.isUnchanged || version.keepsForever) return false;
    return perm.purge && (perm.admin || version.userId === id);
  }
}
