import { maxConcurrentUploads, uploadProgressIntervalMs } from '@filestead/contract/values/limits';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ConflictQueue, conflictScope, type ConflictScope } from './conflict-queue.ts';
import { freeName } from '../collecting/free-name.ts';
import { makeJobs } from './make-jobs.ts';
import { planBatch, type FolderNames, type PlannedUpload } from '../collecting/plan-batch.ts';
import { TransferSpeed } from './transfer-speed.ts';
import type { UploadItem } from '../collecting/upload-item.ts';
import type { QueuedJob, UploadFailure, UploadJob } from './upload-job.ts';
import { failureOf, type UploadedEntry, type UploadTransport } from './upload-transport.ts';
import { PendingJobs } from './pending-jobs.ts';
import { UploadProgress, type UploadSnapshot, type UploadSummary } from './upload-progress.ts';

/** What is handed to the queue in one go. */
export interface UploadRequest {
  /** The folder that receives the items. */
  destination: VirtualPath;
  /** Folders before what they hold. */
  items: readonly UploadItem[];
  /** Whether the user may replace files (permission `modify`). */
  canReplace: boolean;
}

/**
 * Sends files and folders, at most five at once, in the order in which they were added. Knows no screen: it lives as
 * long as the page, and views subscribe to it.
 */
export class UploadQueue {
  /** The questions about name conflicts. */
  readonly conflicts = new ConflictQueue();
  readonly #transport: UploadTransport;
  readonly #progress = new UploadProgress(uploadProgressIntervalMs);
  readonly #waiting = new PendingJobs();
  readonly #sending = new Set<QueuedJob>();
  readonly #scopes = new Set<ConflictScope>();
  readonly #uploadedListeners = new Set<(entry: UploadedEntry) => void>();
  readonly #finishedListeners = new Set<(summary: UploadSummary) => void>();
  readonly #givenUp = new Set<Promise<void>>();
  #nextId = 1;
  #isAtRest = true;
  #isHeld = false;

  constructor(transport: UploadTransport) {
    this.#transport = transport;
  }

  readonly getSnapshot = (): UploadSnapshot => this.#progress.snapshot;
  readonly subscribe = (listener: () => void): (() => void) => this.#progress.subscribe(listener);

  /** All uploads in the order in which a list shows them; the same array until one changes its state. */
  rows(): readonly UploadJob[] {
    return this.#progress.rows();
  }

  /** Whether leaving the page now would lose something. */
  get isBusy(): boolean {
    return this.#progress.isBusy;
  }

  /** Calls `listener` for each file and folder that has arrived. Returns the way to stop. */
  onUploaded(listener: (entry: UploadedEntry) => void): () => void {
    this.#uploadedListeners.add(listener);
    return () => this.#uploadedListeners.delete(listener);
  }

  /** Calls `listener` when nothing is left to send. Returns the way to stop. */
  onFinished(listener: (summary: UploadSummary) => void): () => void {
    this.#finishedListeners.add(listener);
    return () => this.#finishedListeners.delete(listener);
  }

  /** Adds files whose places are settled: uploads that were interrupted are gone on with. */
  goOn(files: readonly { path: VirtualPath; file: File; override: boolean }[]): void {
    if (files.length === 0) return;
    this.#begin();
    const uploads = files.map(({ path, file, override }) => {
      const item: UploadItem = { kind: 'file', relativePath: nameOf(path), file };
      return { item, path, override };
    });
    this.#add(uploads, conflictScope(files.some(({ override }) => override)));
    this.#pump();
  }

  /** Adds items; name conflicts are asked about before any of them is sent. Resolves when all are in the queue. */
  async enqueue({ destination, items, canReplace }: UploadRequest): Promise<void> {
    if (items.length === 0) return;
    this.#begin();
    const scope = conflictScope(canReplace);
    this.#scopes.add(scope);
    this.#progress.plan(items.length);
    try {
      const plan = await planBatch({
        destination,
        items,
        listFolder: (path) => this.#list(path),
        ask: (conflict) => this.conflicts.ask(conflict, scope),
      });
      // Cancelling drops the questions and, with them, the whole batch.
      if (plan && !scope.standing.has('cancel')) {
        this.#progress.skip(plan.skipped);
        this.#add(plan.uploads, scope);
      }
    } finally {
      this.#scopes.delete(scope);
      this.#progress.plan(-items.length);
      this.#pump();
    }
  }

  /** Stops one upload until it is resumed. A file that is sent in parts goes on where it stopped, others start anew. */
  pause(id: number): void {
    const job = this.#progress.find(id);
    if (job) this.#pause(job);
    this.#pump();
  }

  /** Lets a paused upload go on, before those that wait. */
  resume(id: number): void {
    const job = this.#progress.find(id);
    if (job?.state !== 'paused') return;
    this.#progress.change(job, 'waiting');
    this.#waiting.putFirst(job);
    this.#pump();
  }

  pauseAll(): void {
    for (const job of this.#progress.jobs()) this.#pause(job);
  }

  resumeAll(): void {
    for (const job of this.#progress.jobs()) {
      if (job.state !== 'paused') continue;
      this.#progress.change(job, 'waiting');
      this.#waiting.push(job);
    }
    this.#pump();
  }

  /** Stops one upload, or keeps it from starting. */
  cancel(id: number): void {
    const job = this.#progress.find(id);
    if (job) this.#cancel(job);
    this.#pump();
  }

  /** Stops everything. Resolves when the server has removed what it held of it, or cannot be told. */
  async cancelAll(): Promise<void> {
    this.#dropQuestions();
    for (const job of this.#progress.jobs()) this.#cancel(job);
    this.#pump();
    await Promise.all(this.#givenUp);
  }

  /** Sends nothing more until {@link release}: nobody is signed in. What was on its way waits with the others. */
  hold(): void {
    this.#isHeld = true;
    for (const job of [...this.#sending].reverse()) this.#putBack(job);
  }

  /** Drops everything without a word to the server, for the user whose files these are is not the one of now. */
  forget(): void {
    this.#dropQuestions();
    for (const job of this.#progress.jobs()) this.#end(job);
    this.#progress.forget(() => true);
    this.#restWhenDone();
  }

  /** Goes on after {@link hold}. */
  release(): void {
    this.#isHeld = false;
    this.#pump();
  }

  /** Sends a failed or cancelled upload again; a failed one that was sent in parts goes on where it stopped. */
  retry(id: number): void {
    const job = this.#progress.find(id);
    if (job) this.#retry(job);
    this.#pump();
  }

  retryFailed(): void {
    for (const job of this.#progress.jobs()) if (job.state === 'failed') this.#retry(job);
    this.#pump();
  }

  /** Empties the list. Does nothing while something is on its way. */
  dismiss(): void {
    if (!this.#isAtRest) return;
    for (const job of this.#progress.jobs()) this.#giveUp(job);
    this.#progress.forget(() => true);
  }

  /** What has ended makes room for what begins now. */
  #begin(): void {
    if (this.#isAtRest) this.#progress.forget((job) => job.state !== 'failed');
    this.#isAtRest = false;
  }

  #add(uploads: readonly PlannedUpload[], scope: ConflictScope): void {
    for (const job of makeJobs(uploads, scope, this.#nextId)) {
      this.#progress.add(job);
      if (job.state === 'waiting') this.#waiting.push(job);
    }
    this.#nextId += uploads.length;
  }

  #pump(): void {
    while (!this.#isHeld && this.#sending.size < maxConcurrentUploads) {
      const job = this.#waiting.take();
      if (!job) break;
      void this.#send(job);
    }
    this.#restWhenDone();
  }

  async #send(job: QueuedJob): Promise<void> {
    const abort = new AbortController();
    const { path, file, override, partial } = job;
    if (!path) return;
    job.abort = abort;
    job.speed = new TransferSpeed();
    job.speed.sample(job.sentBytes, Date.now());
    this.#sending.add(job);
    this.#progress.change(job, 'sending');
    const onProgress = (sentBytes: number) => {
      if (job.abort === abort) this.#progress.advance(job, sentBytes);
    };
    const onHeld = (bytes: number) => {
      if (job.abort === abort) this.#progress.settle(job, bytes);
    };
    const onInterrupted = (isInterrupted: boolean) => {
      if (job.abort === abort) this.#progress.interrupt(job, isInterrupted);
    };
    try {
      const { signal } = abort;
      if (file)
        await this.#transport.sendFile(path, file, {
          override,
          signal,
          partial,
          onProgress,
          onHeld,
          onInterrupted,
        });
      else await this.#transport.createFolder(path, signal);
      if (job.abort === abort) this.#finish(job, path);
    } catch (error) {
      if (job.abort === abort) this.#fail(job, failureOf(error));
    } finally {
      if (job.abort === abort || job.abort === null) this.#sending.delete(job);
      this.#pump();
    }
  }

  #finish(job: QueuedJob, path: VirtualPath): void {
    job.abort = null;
    job.file = null;
    this.#progress.change(job, 'done');
    const isFolder = job.kind === 'folder';
    this.announce({ path, name: job.name, isFolder, size: job.size, modifiedMs: Date.now() });
  }

  /** Tells those who wait for uploads of a file that has arrived. */
  announce(entry: UploadedEntry): void {
    for (const listener of this.#uploadedListeners) listener(entry);
  }

  #fail(job: QueuedJob, failure: UploadFailure): void {
    job.abort = null;
    // The session is over; somebody may sign in again.
    if (failure === 'not_signed_in') {
      this.#sending.delete(job);
      this.#progress.change(job, 'waiting');
      this.#waiting.putFirst(job);
      this.hold();
      return;
    }
    // An upload belongs to one path; the server has given up one whose name is taken.
    if (failure === 'already_exists') this.#giveUp(job);
    if (failure === 'already_exists' && job.file && !job.override && !job.hasUnseenConflict) {
      this.#progress.change(job, 'asking');
      void this.#askAbout(job, job.file);
      return;
    }
    // The server has all of it.
    if (failure === 'blocked') job.file = null;
    job.failure = failure;
    this.#progress.change(job, 'failed');
  }

  /** The name was taken after all, by somebody else meanwhile or deeper than was looked. */
  async #askAbout(job: QueuedJob, file: File): Promise<void> {
    const { path, scope } = job;
    if (!path) return;
    const folder = parentOf(path);
    const names = await this.#list(folder);
    const existing = names.get(job.name);
    // Gone again, or hidden from this user: one more attempt tells which.
    job.hasUnseenConflict = !existing;
    const incoming = { isFolder: false, size: file.size, modifiedMs: file.lastModified };
    const answer = existing ? await this.conflicts.ask({ path, incoming, file, existing }, scope) : null;
    if (job.state !== 'asking') return;
    if (answer === 'skip' || answer === 'cancel') {
      this.#progress.change(job, 'skipped');
    } else {
      job.override = answer === 'replace';
      if (answer === 'keep_both') {
        const isTaken = (name: string) => names.has(name) || this.#progress.isAimedAt(childOf(folder, name));
        job.name = freeName(job.originalName, false, isTaken);
        this.#progress.redirect(job, childOf(folder, job.name));
      }
      this.#progress.change(job, 'waiting');
      this.#waiting.push(job);
    }
    this.#pump();
  }

  #pause(job: QueuedJob): void {
    // What has left this machine whole only waits for the answer.
    const isMoving = job.state === 'sending' && job.sentBytes < job.size;
    if (job.state !== 'waiting' && !isMoving) return;
    const { abort } = job;
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'paused');
    abort?.abort();
  }

  #putBack(job: QueuedJob): void {
    const { abort } = job;
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'waiting');
    this.#waiting.putFirst(job);
    abort?.abort();
  }

  #dropQuestions(): void {
    for (const scope of this.#scopes) this.conflicts.cancelScope(scope);
    this.conflicts.drop(() => true);
  }

  #giveUp(job: QueuedJob): void {
    if (job.partial.address === null) return;
    const done = this.#transport.giveUp(job.partial).finally(() => this.#givenUp.delete(done));
    this.#givenUp.add(done);
  }

  #cancel(job: QueuedJob): void {
    if (this.#end(job)) this.#giveUp(job);
  }

  /** Returns whether there was something to stop. */
  #end(job: QueuedJob): boolean {
    const { abort, state } = job;
    if (state !== 'waiting' && state !== 'sending' && state !== 'asking' && state !== 'paused') return false;
    const wasAsking = state === 'asking';
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'cancelled');
    if (wasAsking) this.conflicts.drop((conflict) => conflict.path === job.path);
    abort?.abort();
    return true;
  }

  #retry(job: QueuedJob): void {
    if (job.failure === 'blocked') return;
    if ((job.state !== 'failed' && job.state !== 'cancelled') || !job.path) return;
    this.#isAtRest = false;
    job.failure = null;
    job.hasUnseenConflict = false;
    job.scope.standing.clear();
    this.#progress.change(job, 'waiting');
    this.#waiting.push(job);
  }

  async #list(path: VirtualPath): Promise<FolderNames> {
    try {
      return await this.#transport.listFolder(path);
    } catch {
      // The server refuses conflicts itself, and whatever keeps the list away will show when sending.
      return new Map();
    }
  }

  #restWhenDone(): void {
    if (this.#isAtRest || this.#progress.isBusy) return;
    this.#isAtRest = true;
    const summary = this.#progress.summary();
    this.#progress.rest();
    for (const listener of this.#finishedListeners) listener(summary);
  }
}
