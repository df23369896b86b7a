import { isAtOrBelow, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type {
  Operation,
  OperationChange,
  OperationPage,
  OperationsEnd,
} from '@filestead/contract/endpoints/operations';
import { operationDays } from '@filestead/contract/values/limits';
import { cursorAt, parsePosition } from '../access/keeping/page-cursor.ts';
import type { UserContext } from '../access/user-context.ts';
import type {
  ListedOperation,
  OperationPosition,
  OperationRepository,
  OperationWithStep,
  StoredStep,
} from '../database/operation-repository.ts';
import type { NameKey } from '../database/trash-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Operations per query. */
const pageRows = 200;

/** Returns the cursor of the page after an operation. */
export const cursorOf = ({ startedAt, id }: OperationPosition): string => cursorAt([startedAt, id]);

/** Parses a cursor. Throws `bad_request`. */
export function parseCursor(cursor: string): OperationPosition {
  const [startedAt, id] = parsePosition(cursor);
  return { startedAt, id };
}

/** The log of operations as one user may see it now. */
export interface OperationView {
  readonly userContext: UserContext;
  readonly storage: NarrowedStorage;
  /** The time since which the user has the scope (Unix milliseconds). */
  readonly scopeSince: number;
}

/** The change of an operation that a user may see, with the paths of its first entry. */
interface VisibleChange {
  readonly operation: OperationWithStep;
  readonly path: VirtualPath;
  readonly from: VirtualPath | null;
}

/** An operation that a user may see. */
export interface VisibleOperation extends VisibleChange {
  readonly operation: ListedOperation;
  /** Null also if the user may not see its first entry. */
  readonly original: VisibleChange | null;
}

/**
 * Returns the operation as this user sees it, or null if the user may not see it. Users see their own operations and
 * administrators those of all users, if they began after the user’s scope was last changed and their first entry is in the
 * scope and visible.
 */
export function visibleOf(
  view: OperationView,
  operation: ListedOperation,
  {
    isVisible,
    now,
  }: {
    /** Whether the user may see an entry. What a list shows differs from what a request by the id of an operation shows. */
    readonly isVisible: (path: VirtualPath) => boolean;
    /** Unix milliseconds. */
    readonly now: number;
  },
): VisibleOperation | null {
  const { id, perm } = view.userContext.user;
  const since = Math.max(view.scopeSince, now - operationDays * dayMs);
  if (operation.startedAt < since || (operation.userId !== id && !perm.admin)) return null;
  const visiblePath = (place: VirtualPath): VirtualPath | null => {
    const path = view.storage.fromPlace(place);
    return path === null || path === rootPath || !isVisible(path) ? null : path;
  };
  const visible = <T extends OperationWithStep>(change: T) => {
    const { first } = change;
    const path = first && (visiblePath(first.path) ?? rootOfOwnShare(change, first, id));
    if (first === null || path === null) return null;
    return { operation: change, path, from: first.from && visiblePath(first.from) };
  };
  const found = visible(operation);
  return found && { ...found, original: operation.original && visible(operation.original) };
}

/** Returns the root as the path of a share that the user has changed, if the shared entry is that root or has left the scope. */
const rootOfOwnShare = (
  { userId }: OperationWithStep,
  { act }: StoredStep,
  user: number,
): VirtualPath | null => (act === 'shared' && userId === user ? rootPath : null);

/** A request for operations. */
export interface ListOperations {
  readonly isMine: boolean;
  readonly below: VirtualPath | undefined;
  /** The entry that the operations changed. */
  readonly of: VirtualPath | undefined;
  readonly after: OperationPosition | undefined;
  /** Maximum number of operations. */
  readonly limit: number;
  /** Unix milliseconds. */
  readonly now: number;
  /** Returns the function that makes names at a path comparable. */
  readonly keyAt: (path: VirtualPath) => NameKey;
}

/** The parts of the server that present operations. */
export interface PresentOperation {
  /** Returns the name of a user; null if there is none. */
  readonly usernameOf: (id: number) => Promise<string | null>;
  readonly isRunning: (id: string) => boolean;
  /** Whether a user's deletion forever of a deleted entry can still be cancelled. */
  readonly canCancelPurge: (keptId: string, userId: number) => Promise<boolean>;
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();

/** Returns the change of an operation as the API sends it. */
const presentChange = ({ operation, path, from }: VisibleChange): OperationChange => ({
  kind: operation.kind,
  total: operation.total,
  path,
  from,
  isDir: operation.first?.left?.kind === 'folder',
  versionAt: operation.versionAt === null ? null : timeText(operation.versionAt),
});

/** Returns an operation as the API sends it. */
export async function presentOperation(
  view: OperationView,
  visible: VisibleOperation,
  { usernameOf, isRunning, canCancelPurge }: PresentOperation,
): Promise<Operation> {
  const { operation, original } = visible;
  const { id, startedAt, endedAt, userId, undoneBy, undoesKind, first } = operation;
  const canUndoStep = async (): Promise<boolean> => {
    if (first?.act !== 'purged') return true;
    return first.keptId !== null && userId !== null && (await canCancelPurge(first.keptId, userId));
  };
  const isOwn = userId === view.userContext.user.id;
  const running = endedAt === null || isRunning(id);
  const state = running ? 'running' : undoneBy === null ? 'done' : 'undone';
  return {
    ...presentChange(visible),
    id,
    state,
    startedAt: timeText(startedAt),
    endedAt: endedAt === null ? null : timeText(endedAt),
    user: userId === null ? null : await usernameOf(userId),
    isOwn,
    undoes: undoesKind,
    original: original && presentChange(original),
    canUndo: isOwn && state === 'done' && (await canUndoStep()),
  };
}

/** Yields the visible operations in batches, the latest first. Other requests are served between two batches. */
async function* visibleOperations(
  repository: OperationRepository,
  view: OperationView,
  { isMine, below, of, keyAt, after, now }: ListOperations,
): AsyncGenerator<readonly VisibleOperation[]> {
  const { storage } = view;
  if (of !== undefined && !storage.isAllowed(of)) return;
  const entry = of && { path: storage.toPlace(of), keyAt };
  // The user may have opened the folder or the entry by its address.
  const top = of ?? below ?? rootPath;
  const isVisible = (path: VirtualPath): boolean => storage.isShown(path) || storage.isShown(path, top);
  const { id, perm } = view.userContext.user;
  const userId = isMine || !perm.admin ? id : undefined;
  for (let position = after; ;) {
    const rows = await repository.list({ userId, entry, after: position, limit: pageRows });
    const visible: VisibleOperation[] = [];
    for (const row of rows) {
      const found = visibleOf(view, row, { isVisible, now });
      if (found === null) continue;
      const { path, from } = found;
      const isBelow = (place: VirtualPath | null): boolean =>
        place !== null && isAtOrBelow(place, below ?? rootPath);
      if (isBelow(path) || isBelow(from)) visible.push(found);
    }
    if (visible.length > 0) yield visible;
    position = rows.at(-1);
    if (rows.length < pageRows) return;
    if (isYieldDue()) await yieldToEventLoop();
  }
}

/** Yields the operations of a page in batches, and returns the cursor of the next page; null when there is none. */
async function* pageOf(
  repository: OperationRepository,
  view: OperationView,
  request: ListOperations,
  parts: PresentOperation,
): AsyncGenerator<Operation[], string | null> {
  let remaining = request.limit;
  let last: VisibleOperation | undefined;
  for await (const batch of visibleOperations(repository, view, request)) {
    // One more operation shows that there is another page.
    if (remaining === 0) return last === undefined ? null : cursorOf(last.operation);
    const items = batch.slice(0, remaining);
    yield await Promise.all(items.map((item) => presentOperation(view, item, parts)));
    last = items.at(-1);
    remaining -= items.length;
    if (items.length < batch.length && last !== undefined) return cursorOf(last.operation);
  }
  return null;
}

/** Returns a page of operations. */
export async function readOperations(
  repository: OperationRepository,
  view: OperationView,
  request: ListOperations,
  parts: PresentOperation,
): Promise<OperationPage> {
  const items: Operation[] = [];
  const pages = pageOf(repository, view, request, parts);
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { items, next: page.value };
    items.push(...page.value);
  }
}

/** Yields a page of operations as NDJSON: one per line, then the end. */
export async function* operationsAsRows(
  repository: OperationRepository,
  view: OperationView,
  request: ListOperations,
  parts: PresentOperation,
): AsyncGenerator<string> {
  const pages = pageOf(repository, view, request, parts);
  for (;;) {
    const page = await pages.next();
    if (page.done === true) {
      const end: OperationsEnd = { end: true, next: page.value };
      yield `${JSON.stringify(end)}\n`;
      return;
    }
    yield page.value.map((item) => `${JSON.stringify(item)}\n`).join('');
  }
}
