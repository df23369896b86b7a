import { undoOperation, type UndoReport } from '@filestead/contract/endpoints/operations';
import { errorStatus } from '@filestead/contract/errors';
import type { Job } from '@filestead/contract/jobs';
import { nameOf, parentOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, call, isApiError, jsonOf, send } from '../../../api/call.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { announceChange } from '../entries/changes.ts';
import { runMany } from '../entries/run-many.ts';
import { followJob } from '../jobs/run-job.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { filesText } from './files-text.ts';

/** The ids of operations of the server (`X-Operation`) that one action consists of. */
export type OperationIds = readonly string[];

/** The kind of an operation of the server. */
export type OperationKind = UndoReport['kind'];

/** The result of an undo. */
export interface Undone {
  /** The kind of the first operation that was undone. */
  readonly kind: OperationKind | undefined;
  /** The ids of the new operations, with which the undo can be undone. */
  readonly operations: OperationIds;
  /** The text that reports the result. */
  readonly message: string;
}

/**
 * Counts the entries that can be undone; an operation that cannot be undone at all counts as one entry. Throws other
 * errors.
 */
async function check(id: string): Promise<Pick<UndoReport, 'kind' | 'total' | 'undone' | 'failures'>> {
  try {
    return (await call(undoOperation, { params: { id }, query: { check: 'true' } })) as UndoReport;
  } catch (error) {
    if (!isApiError(error, 'changed_since') && !isApiError(error, 'not_found')) throw error;
    return {
      kind: 'undo',
      total: 1,
      undone: 0,
      failures: [{ path: '', code: error.code as 'changed_since' }],
    };
  }
}

/**
 * Undoes operations, the last one first. Asks first if some entries have changed since; returns null if the user declines.
 * The server knows a repeated action as the undo of an undo; `original` is what it repeats, for the message. Throws
 * `ApiError`, `RefusedError`.
 */
export async function undoOperations(
  operations: OperationIds,
  original?: OperationKind,
): Promise<Undone | null> {
  const ids = operations.toReversed();
  const checks = await runMany({ items: ids, run: check });
  const [failed] = checks.failed;
  if (failed) throw failed.error;
  const all = checks.done.map(({ result }) => result);
  const others = all.filter((report) => !isForOthers(report, ids));
  const counts = others.length > 0 ? others : all;
  const total = sum(counts.map((count) => count.total));
  const undone = sum(counts.map((count) => count.undone));
  if (undone === 0) {
    const code = counts.find(({ failures }) => failures.length > 0)?.failures[0]?.code ?? 'changed_since';
    throw new ApiError(errorStatus[code], code);
  }
  if (undone < total && !(await askToUndoRest(total, undone))) return null;
  const reports: UndoReport[] = [];
  try {
    for (const { item, result } of checks.done) {
      if (isForOthers(result, ids)) reports.push(...(await undoUnlessChanged(item, result.kind)));
      else if (result.undone > 0) reports.push(await undoOne(item, result.kind));
    }
  } catch (error) {
    // If an earlier operation was undone, that is reported instead of the error.
    if (reports.length === 0) throw error;
  } finally {
    announce(reports);
  }
  const kind = original ?? reports[0]?.kind;
  return {
    kind,
    operations: reports.flatMap(({ operation }) => operation ?? []),
    message: messageOf(reports, kind),
  };
}

/**
 * Whether an operation has created a folder for others of the same action. The folder counts as changed until these are undone, and
 * stays if it contains something else then.
 */
const isForOthers = (
  { kind, total, undone }: Pick<UndoReport, 'kind' | 'total' | 'undone'>,
  ids: OperationIds,
) => ids.length > 1 && kind === 'create' && undone < total;

/** Undoes one operation; returns no report if its entries have changed since. */
async function undoUnlessChanged(id: string, kind: UndoReport['kind']): Promise<UndoReport[]> {
  try {
    return [await undoOne(id, kind)];
  } catch (error) {
    if (isApiError(error, 'changed_since') || isApiError(error, 'not_found')) return [];
    throw error;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** Asks whether to undo the entries that have not changed since. */
const askToUndoRest = (total: number, undone: number): Promise<boolean> =>
  new Promise((resolve) => openPrompt({ kind: 'undoRest', total, undone, onReply: resolve }));

/** Undoes one operation, a large one by a job that is shown in the tray. */
async function undoOne(id: string, kind: UndoReport['kind']): Promise<UndoReport> {
  const response = await send(undoOperation, { params: { id } });
  const json = await jsonOf(response);
  if (response.status !== 202) return json as UndoReport;
  const { results, id: operation, items } = await followJob(json as Job, { name: '', destination: null });
  const done = results.filter(({ code }) => code === undefined);
  const paths = done.flatMap(({ to }) => to ?? []);
  return {
    operation,
    kind,
    total: items.total,
    undone: done.length,
    failures: results.flatMap(({ path, code }) => (code === undefined ? [] : [{ path, code }])),
    paths,
    removed: done.flatMap(({ path, to }) => (to === undefined ? [path] : [])),
    folders: [
      ...new Set(
        done.flatMap(({ path, to }) => [path, to ?? path]).map((path) => parentOf(virtualPath(path))),
      ),
    ],
  };
}

/** Updates the shown folders. */
function announce(reports: readonly UndoReport[]): void {
  const folders = new Set<VirtualPath>();
  for (const report of reports) {
    for (const folder of report.folders) folders.add(virtualPath(folder));
    // A restored folder also changes its parent folder.
    for (const path of report.paths) folders.add(parentOf(virtualPath(path)));
  }
  announceChange({
    folders: [...folders],
    removed: reports.flatMap(({ removed }) => removed.filter((path) => path !== '').map(virtualPath)),
    reveal: reports.flatMap(({ paths }) => paths.map(virtualPath)),
  });
}

/** Returns the text that reports what was undone. */
function messageOf(reports: readonly UndoReport[], kind: OperationKind | undefined): string {
  const count = sum(reports.map(({ undone }) => undone));
  const total = sum(reports.map((report) => report.total));
  const paths = reports.flatMap((report) => report.paths).map(virtualPath);
  const removed = reports.flatMap((report) => report.removed).map(virtualPath);
  const values = pluralValues(count);
  if (count < total) return filesText('undo.partly', { ...values, total: pluralValues(total).number });
  const only = count === 1 ? (paths[0] ?? removed[0]) : undefined;
  const name = only ? isolateBidi(nameOf(only)) : '';
  switch (kind) {
    case 'move': {
      const folders = new Set(paths.map(parentOf));
      const [folder = virtualPath('/')] = folders;
      // Renaming changes one folder only.
      if (only && reports.every((report) => report.folders.length === 1))
        return filesText('done.renamed', { name });
      if (only) return filesText('undo.movedBackOne', { name, folder: folderName(folder) });
      return folders.size === 1
        ? filesText('undo.movedBackMany', { ...values, folder: folderName(folder) })
        : filesText('undo.movedBackToFolders', values);
    }
    case 'delete':
      return only ? filesText('done.restoredOne', { name }) : filesText('done.restoredMany', values);
    case 'unshare':
      return filesText('undo.linkBack');
    case 'reshare':
      return filesText('undo.formerLink');
    case 'undo':
      return only ? filesText('undo.redoneOne', { name }) : filesText('undo.redoneMany', values);
    default:
      if (paths.length === 0 && removed.length > 0)
        return only ? filesText('done.trashedOne', { name }) : filesText('done.trashedMany', values);
      return only ? filesText('undo.formerOne', { name }) : filesText('undo.undoneMany', values);
  }
}
