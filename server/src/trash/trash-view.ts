import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type {
  KeptFilter,
  KeptPosition,
  ListedKept,
  PlacedKept,
  PlacePath,
  TrashRepository,
} from '../database/trash-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** A deleted entry that a user may see. */
export interface VisibleKept<Kept extends ListedKept = PlacedKept> {
  readonly kept: Kept;
  /** Its current place within the user's scope. */
  readonly path: VirtualPath;
}

/** Selects entries of the trash. */
export interface TrashFilter {
  /** A folder in the user's scope. */
  readonly below?: VirtualPath | undefined;
  readonly isOwn?: boolean | undefined;
  /** A part of the name, in any letter case. */
  readonly q?: string | undefined;
  /** Only entries that were deleted before this time (Unix milliseconds). */
  readonly before?: number | undefined;
}

/** Entries per query; about 2 ms, so that a turn of the event loop with some pages stays short. */
const pageRows = 200;

const foldedName = (text: string): string => text.normalize('NFC').toLowerCase();

/**
 * The trash as one user may see it now: deleted entries whose current place is in the scope of the user and allowed by the
 * rules, and that were deleted since the user has this scope.
 */
export class TrashView {
  readonly #repository: TrashRepository;
  readonly #userContext: UserContext;
  readonly #storage: NarrowedStorage;
  readonly #since: number;
  /** Whether other users' deletions are hidden. */
  readonly #showsOwnOnly: boolean;

  constructor(
    repository: TrashRepository,
    viewer: {
      readonly userContext: UserContext;
      readonly storage: NarrowedStorage;
      /** Unix milliseconds since when the user has the scope. */
      readonly scopeSince: number;
      readonly showsOwnOnly: boolean;
    },
  ) {
    this.#repository = repository;
    this.#userContext = viewer.userContext;
    this.#storage = viewer.storage;
    this.#since = viewer.scopeSince;
    this.#showsOwnOnly = viewer.showsOwnOnly;
  }

  /** The user whose view this is. */
  get userContext(): UserContext {
    return this.#userContext;
  }

  /** The files of the user. */
  get storage(): NarrowedStorage {
    return this.#storage;
  }

  /**
   * Returns an entry that was requested by its id as this user sees it; null when it is hidden from the user. An entry that is only
   * allowed below a denied folder is visible, as by its address, but {@link list} shows it only for a folder below that.
   */
  visible<Kept extends ListedKept>(kept: Kept): VisibleKept<Kept> | null {
    if (kept.act !== 'delete') return null;
    if (kept.keptAt < this.#since) return null;
    if (this.#showsOwnOnly && kept.userId !== this.#userContext.user.id) return null;
    const path = this.#storage.fromPlace(kept.place);
    if (path === null || path === '/' || !this.#storage.isAllowed(path)) return null;
    return { kept, path };
  }

  /** Returns the entry with this id; null when there is none that the user may see. */
  async find(id: string): Promise<VisibleKept | null> {
    const kept = await this.#repository.find(id);
    return kept === null ? null : this.visible(kept);
  }

  /** Returns those of the entries with these ids that the user may see and that are not waiting for their removal. */
  async findAll(ids: readonly string[]): Promise<VisibleKept[]> {
    const items: VisibleKept[] = [];
    for (let first = 0; first < ids.length; first += pageRows) {
      for (const kept of await this.#repository.findAll(ids.slice(first, first + pageRows))) {
        const item = kept.purgeAt === null ? this.visible(kept) : null;
        if (item !== null) items.push(item);
      }
      if (isYieldDue()) await yieldToEventLoop();
    }
    return items;
  }

  /** Whether the user may delete the entry forever. */
  canPurge({ kept }: VisibleKept<ListedKept>): boolean {
    const { id, perm } = this.#userContext.user;
    return perm.purge && (perm.admin || kept.userId === id);
  }

  #rows({ isOwn }: TrashFilter): Pick<KeptFilter, 'userId' | 'since'> {
    const isLimited = isOwn === true || this.#showsOwnOnly;
    return { since: this.#since, userId: isLimited ? this.#userContext.user.id : undefined };
  }

  #matches({ below, q, before }: TrashFilter): (item: VisibleKept<ListedKept>) => boolean {
    const part = q === undefined ? undefined : foldedName(q);
    const isListed = (path: VirtualPath): boolean =>
      below === undefined
        ? this.#storage.isShown(path)
        : path !== below && this.#storage.isShown(path, below);
    return ({ kept, path }) =>
      isListed(path) &&
      (before === undefined || kept.keptAt < before) &&
      (part === undefined || foldedName(nameOf(path)).includes(part));
  }

  /** Yields the matching entries in batches, the latest deletion first. Other requests are served between two batches. */
  async *list(filter: TrashFilter, after?: KeptPosition): AsyncGenerator<readonly VisibleKept<ListedKept>[]> {
    const matches = this.#matches(filter);
    const rows = this.#rows(filter);
    const paths = new Map<number, PlacePath>();
    let position = after;
    for (;;) {
      const page = await this.#repository.list({ ...rows, after: position, limit: pageRows }, paths);
      const items: VisibleKept<ListedKept>[] = [];
      for (const kept of page) {
        const item = this.visible(kept);
        if (item !== null && matches(item)) items.push(item);
      }
      if (items.length > 0) yield items;
      position = page.at(-1);
      if (page.length < pageRows) return;
      if (isYieldDue()) await yieldToEventLoop();
    }
  }

  /** Returns the number of matching entries. */
  async count(filter: TrashFilter): Promise<number> {
    const { below, q, before } = filter;
    const isWhole = this.#storage.showsEverything && this.#storage.toPlace('/' as VirtualPath) === '/';
    if (isWhole && below === undefined && q === undefined && before === undefined) {
      return this.#repository.count(this.#rows(filter));
    }
    let count = 0;
    for await (const items of this.list(filter)) count += items.length;
    return count;
  }
}
