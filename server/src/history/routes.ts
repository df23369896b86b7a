import * as endpoints from '@filestead/contract/endpoints/operations';
import type { RewindReport, UndoReport } from '@filestead/contract/endpoints/operations';
import type { Job } from '@filestead/contract/jobs';
import { rootPath, type VirtualPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { defaultOperationPage, maxUndoneAtOnce } from '@filestead/contract/values/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Operation, operationHeader, type Operations } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import { usernameLookup } from '../access/username-lookup.ts';
import type { Clock } from '../clock.ts';
import type { OperationRepository, StoredStep } from '../database/operation-repository.ts';
import { AppError } from '../errors.ts';
import { acceptsRows } from '../http/request/accepts.ts';
import { sendChunks } from '../http/response/send-chunks.ts';
import type { Route } from '../http/server/route.ts';
import { newOrderedId } from '../ordered-id.ts';
import { allowedPath } from './examine-step.ts';
import type { History } from './history.ts';
import {
  operationsAsRows,
  type OperationView,
  parseCursor,
  type PresentOperation,
  readOperations,
  visibleOf,
  type VisibleOperation,
} from './list-operations.ts';
import { stepsToRewind } from './plan-rewind.ts';
import { assertDone, stepsOf, undoAll, UndoCheck, type UndoItem } from './undo-operation.ts';

/** A job that undoes steps. */
export interface UndoJob {
  /** Also the id of the operation that the job is. */
  readonly id: string;
  readonly kind: 'undo' | 'rewind';
  readonly items: readonly UndoItem[];
  /** The operation that is undone; null for a rewind. */
  readonly undoes: string | null;
}

/** The parts of the server that the routes of operations use. */
export interface HistoryRouteOptions {
  readonly route: Route;
  readonly history: History;
  readonly repository: OperationRepository;
  readonly userContexts: UserContexts;
  readonly operations: Operations;
  readonly clock: Clock;
  /** Returns the id of the user with this name; null if there is none. */
  readonly findUser: (username: string) => Promise<number | null>;
  /** Starts a job. Throws `too_many_requests`. */
  readonly startJob: (userContext: UserContext, job: UndoJob, request: FastifyRequest) => Promise<Job>;
}

/** The maximum number of changes of one rewind; each is an item of a job. */
const maxRewoundSteps = 100_000;

/** Registers the endpoints of operations. */
export function registerHistory(app: FastifyInstance, options: HistoryRouteOptions): void {
  registerList(app, options);
  registerUndo(app, options);
  registerRewind(app, options);
}

function registerList(
  app: FastifyInstance,
  { route, history, repository, userContexts, clock }: HistoryRouteOptions,
): void {
  const parts = (): PresentOperation => ({
    isRunning: (id) => history.log.isRunning(id),
    usernameOf: usernameLookup(userContexts),
    canCancelPurge: history.examine.canCancelPurge,
  });

  route(app, endpoints.listOperations, async ({ userContext, query, request, reply }) => {
    const { mine, below, of, before, limit } = query;
    const after = before === undefined ? undefined : parseCursor(before);
    const view = await history.viewOf(userContext);
    const list = {
      isMine: mine === 'true',
      below: below === undefined ? undefined : virtualPath(below),
      of: of === undefined ? undefined : virtualPath(of),
      after,
      now: clock.now(),
      keyAt: history.keyAt,
    };
    if (!acceptsRows(request.headers.accept))
      return readOperations(repository, view, { ...list, limit: limit ?? defaultOperationPage }, parts());
    const rows = operationsAsRows(repository, view, { ...list, limit: limit ?? Infinity }, parts());
    await sendChunks(request, reply, 'application/x-ndjson; charset=utf-8', rows);
    return undefined;
  });
}

/** Returns an operation of the user. Throws `not_found`, also for operations of other users. */
async function findOwn(
  repository: OperationRepository,
  view: OperationView,
  id: string,
  now: number,
): Promise<VisibleOperation> {
  const operation = await repository.find(id);
  const isOwn = operation?.userId === view.userContext.user.id;
  const isVisible = (path: VirtualPath): boolean => view.storage.isAllowed(path);
  const found = operation === null || !isOwn ? null : visibleOf(view, operation, { isVisible, now });
  if (found === null) throw new AppError('not_found');
  return found;
}

const itemOf = (view: OperationView, step: StoredStep, index: number): UndoItem => ({
  index,
  from: { path: allowedPath(view.storage, step.path) ?? rootPath, isFolderPath: false },
  to: null,
  overwrite: false,
  picksFreeName: false,
  step: step.id,
});

/** Returns the report of an undo without performing it. */
async function checkUndo(
  { history, repository }: HistoryRouteOptions,
  view: OperationView,
  { operation }: VisibleOperation,
): Promise<UndoReport> {
  const check = new UndoCheck(history.examine, view.userContext, view.storage);
  for await (const step of stepsOf(repository, operation.id)) await check.add(step);
  const { total, undone, failures } = check;
  // Entries beyond the limit of the log are counted, but cannot be undone.
  return {
    operation: null,
    kind: operation.kind,
    total: Math.max(total, operation.total),
    undone,
    failures,
    paths: [],
    removed: [],
    folders: [],
  };
}

/** Undoes an operation within the request, as a new operation. */
async function undoNow(
  { history, repository }: HistoryRouteOptions,
  { operation: undone }: VisibleOperation,
  operation: Operation,
  signal: AbortSignal,
): Promise<UndoReport> {
  if (!(await repository.claim(undone.id, operation.id)))
    throw new AppError('changed_since', 'the operation was undone already');
  try {
    return await undoAll(history.parts(), undone, operation, signal);
  } finally {
    // It can be tried again if nothing was undone.
    await history.log.flush();
    await repository.release(operation.id);
  }
}

function registerUndo(app: FastifyInstance, options: HistoryRouteOptions): void {
  const { route, history, repository, operations, clock, startJob } = options;

  route(app, endpoints.undoOperation, async ({ userContext, params, query, signal, request, reply }) => {
    const view = await history.viewOf(userContext);
    const found = await findOwn(repository, view, params.id, clock.now());
    const { id, kind, total } = found.operation;
    Object.assign(request.audit.target, { kind, count: total, paths: [found.path] });
    assertDone(found.operation, history.log.isRunning(id));
    if (query.check === 'true') return checkUndo(options, view, found);
    if (total <= maxUndoneAtOnce) {
      const operation = operations.begin(userContext, 'undo', undefined, id);
      reply.header(operationHeader, operation.id);
      return undoNow(options, found, operation, signal);
    }
    const items: UndoItem[] = [];
    for await (const step of stepsOf(repository, id)) items.push(itemOf(view, step, items.length));
    const jobId = newOrderedId(clock.now());
    if (!(await repository.claim(id, jobId)))
      throw new AppError('changed_since', 'the operation was undone already');
    try {
      const job = await startJob(userContext, { id: jobId, kind: 'undo', items, undoes: id }, request);
      reply.code(202);
      reply.header(operationHeader, job.id);
      return job;
    } catch (error) {
      await repository.release(jobId);
      throw error;
    }
  });
}

/**
 * Returns the id of the user whose changes are undone; null for those of all users. Without a name, administrators undo those of
 * all users, and others their own. Throws `forbidden`, `not_found`.
 */
async function authorOf(
  username: string | undefined,
  { user }: UserContext,
  findUser: HistoryRouteOptions['findUser'],
): Promise<number | null> {
  if (username === undefined) return user.perm.admin ? null : user.id;
  if (username === user.username) return user.id;
  if (!user.perm.admin)
    throw new AppError('forbidden', 'only administrators may undo the changes of other users');
  const id = await findUser(username);
  if (id === null) throw new AppError('not_found', 'there is no user with this name');
  return id;
}

function registerRewind(app: FastifyInstance, options: HistoryRouteOptions): void {
  const { route, history, repository, clock, findUser, startJob } = options;

  route(app, endpoints.rewindFolder, async ({ userContext, query, body, request, reply }) => {
    const view = await history.viewOf(userContext);
    const below = virtualPath(body.below);
    await view.storage.assertAllowed(below);
    const since = Date.parse(body.since);
    if (since > clock.now()) throw new AppError('bad_request', 'body.since: is in the future');
    Object.assign(request.audit.target, { kind: 'rewind', paths: [below] });
    const userId = await authorOf(body.by, userContext, findUser);
    const isRunning = (id: string): boolean => history.log.isRunning(id);
    const steps = stepsToRewind(repository, view, { below, since, userId, isRunning });
    if (query.check === 'true') return checkRewind(options, view, steps);
    const items: UndoItem[] = [];
    for await (const step of steps) {
      if (items.length >= maxRewoundSteps)
        throw new AppError(
          'bad_request',
          `body.since: more than ${maxRewoundSteps} changes; choose a later time or a folder below`,
        );
      items.push(itemOf(view, step, items.length));
    }
    if (items.length === 0) throw new AppError('not_found', 'nothing below the folder has changed since');
    Object.assign(request.audit.target, { count: items.length });
    const planned: UndoJob = { id: newOrderedId(clock.now()), kind: 'rewind', items, undoes: null };
    const job = await startJob(userContext, planned, request);
    reply.code(202);
    reply.header(operationHeader, job.id);
    return job;
  });
}

async function checkRewind(
  { history }: HistoryRouteOptions,
  view: OperationView,
  steps: AsyncIterable<StoredStep>,
): Promise<RewindReport> {
  const check = new UndoCheck(history.examine, view.userContext, view.storage);
  const operations = new Set<string>();
  for await (const step of steps) {
    operations.add(step.operation);
    await check.add(step);
  }
  const { total, undone, failures } = check;
  return { operations: operations.size, total, undone, failures };
}
