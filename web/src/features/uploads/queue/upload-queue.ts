import { uploadProgressIntervalMs } from '@filestead/contract/values/limits';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ConflictQueue, conflictScope, type ConflictScope } from './conflict-queue.ts';
import { freeName } from '../collecting/free-name.ts';
import { identitiesOf } from './file-identities.ts';
import { FolderRecords } from './folder-records.ts';
import { makeJobs } from './make-jobs.ts';
import { planBatch, type FolderNames, type PlannedUpload } from '../collecting/plan-batch.ts';
import { createYielder } from '../../../api/yield-to-event-loop.ts';
import { UploadSpeed } from './upload-speed.ts';
import type { UploadItem } from '../collecting/upload-item.ts';
import type { FileIdentity, FolderRecord, QueuedJob, UploadFailure, UploadJob } from './upload-job.ts';
import type { Tray } from '../tray.ts';
import { failureOf, type UploadedEntry, type UploadTransport } from './upload-transport.ts';
import { PendingJobs } from './pending-jobs.ts';
import { SendingJobs } from './sending-jobs.ts';
import { UploadProgress, type UploadSnapshot, type UploadSummary } from './upload-progress.ts';

/** Items that are added to the queue together. */
export interface UploadRequest {
  /** The destination folder of the items. */
  destination: VirtualPath;
  /** Folders before their content. */
  items: readonly UploadItem[];
  /** Whether the user may overwrite files (permission `modify`). */
  canReplace: boolean;
  /** The handles of folders among the items, by their names. */
  folderHandles?: ReadonlyMap<string, FileSystemDirectoryHandle> | undefined;
  /** The folder upload that the items complete: `destination` is its folder. */
  completes?: FolderRecord | undefined;
}

/**
 * Sends files and folders in the order in which they were added: at most five files, or requests with small files, at once.
 * Independent of any screen: it exists as long as the page, and views subscribe to it.
 */
export class UploadQueue implements Tray {
  /** The prompts about name conflicts. */
  readonly conflicts = new ConflictQueue();
  readonly #transport: UploadTransport;
  readonly #progress = new UploadProgress(uploadProgressIntervalMs);
  readonly #waiting = new PendingJobs();
  readonly #sending = new SendingJobs(({ kind, size }) => kind === 'file' && this.#transport.isSmall(size));
  /** The batches whose jobs are being created. */
  readonly #scopes = new Set<ConflictScope>();
  /** Those of {@link #scopes} that were paused. */
  readonly #pausedScopes = new Set<ConflictScope>();
  readonly #uploadedListeners = new Set<(entry: UploadedEntry) => void>();
  readonly #finishedListeners = new Set<(summary: UploadSummary) => void>();
  readonly #discarded = new Set<Promise<void>>();
  readonly #joinedListeners = new Set<(count: number) => void>();
  readonly #folders: FolderRecords;
  /** Finds files that other pages are uploading; set by the page. */
  findElsewhere: (files: readonly FileIdentity[]) => Promise<ReadonlySet<number>> = async () => new Set();
  #nextId = 1;
  #isIdle = true;
  #isHeld = false;

  constructor(transport: UploadTransport) {
    this.#transport = transport;
    this.#folders = new FolderRecords(transport);
  }

  readonly getSnapshot = (): UploadSnapshot => this.#progress.snapshot;
  readonly subscribe = (listener: () => void): (() => void) => this.#progress.subscribe(listener);

  /** Returns all rows in display order; the same array until one changes its state. */
  rows(): readonly UploadJob[] {
    return this.#progress.rows();
  }

  /** Returns all files and folders, running ones first; the same array until one changes its state. */
  jobs(): readonly UploadJob[] {
    return this.#progress.sortedJobs();
  }

  /** Whether leaving the page now would interrupt uploads. */
  get isBusy(): boolean {
    return this.#progress.isBusy;
  }

  /** Whether an upload of the list, finished or not, has the destination `path`. */
  hasDestination(path: VirtualPath): boolean {
    return this.#progress.hasDestination(path);
  }

  /** Calls `listener` for each finished file and folder. Returns the function that unsubscribes. */
  onUploaded(listener: (entry: UploadedEntry) => void): () => void {
    this.#uploadedListeners.add(listener);
    return () => this.#uploadedListeners.delete(listener);
  }

  /** Calls `listener` when nothing is left to send. Returns the function that unsubscribes. */
  onFinished(listener: (summary: UploadSummary) => void): () => void {
    this.#finishedListeners.add(listener);
    return () => this.#finishedListeners.delete(listener);
  }

  /** Calls `listener` with the number of files that are being uploaded already and were added again. */
  onJoined(listener: (count: number) => void): () => void {
    this.#joinedListeners.add(listener);
    return () => this.#joinedListeners.delete(listener);
  }

  /** Returns the addresses of the resumable uploads of unfinished jobs. */
  addresses(): string[] {
    return [...this.#progress.jobs()].flatMap(({ partial: { address } }) => address ?? []);
  }

  /** Returns the ids of the folder uploads that are not finished. */
  folderIds(): string[] {
    return this.#folders.ids();
  }

  /** Returns the indexes of those `files` that are being uploaded. Paused ones continue. */
  join(files: readonly FileIdentity[]): number[] {
    const jobs = new Map<VirtualPath, QueuedJob>();
    for (const job of this.#progress.jobs()) {
      const isActive = ['waiting', 'sending', 'asking', 'paused'].includes(job.state);
      if (isActive && job.path !== null && job.file !== null) jobs.set(job.path, job);
    }
    return files.flatMap((file, index) => {
      const job = jobs.get(file.path);
      if (job?.file == null) return [];
      if (job.file.size !== file.size || job.file.lastModified !== file.modifiedMs) return [];
      this.resume(job.id);
      return [index];
    });
  }

  /** Adds files with known destinations, to resume interrupted uploads. */
  resumeFiles(
    files: readonly {
      path: VirtualPath;
      file: File;
      override: boolean;
      handle?: FileSystemFileHandle | undefined;
    }[],
  ): void {
    if (files.length === 0) return;
    this.#begin();
    const uploads = files.map(({ path, file, override, handle }) => {
      const item: UploadItem = { kind: 'file', relativePath: nameOf(path), file, handle };
      return { item, path, override };
    });
    const scope = conflictScope(files.some(({ override }) => override));
    for (const job of makeJobs(uploads, scope, this.#takeIds(uploads))) this.#add(job);
    this.#startWaiting();
  }

  /**
   * Adds items; the user is asked about name conflicts before any of them is sent. Resolves when all are in the queue.
   */
  async enqueue(request: UploadRequest): Promise<void> {
    const { destination, canReplace, completes } = request;
    if (request.items.length === 0) return;
    this.#begin();
    const scope = conflictScope(canReplace);
    this.#scopes.add(scope);
    let planned = 0;
    const setPlanned = (count: number): void => {
      this.#progress.plan(count - planned);
      planned = count;
    };
    setPlanned(request.items.length);
    try {
      const items = await this.#withoutActive(destination, request.items);
      const plan = await planBatch({
        destination,
        items,
        listFolder: (path) => this.#list(path),
        ask: (conflict) => this.conflicts.ask(conflict, scope),
        mergesFolders: completes !== undefined,
      });
      // Cancelling drops the prompts and with them the whole batch.
      if (plan && !scope.answersForRemaining.has('cancel')) {
        const records = completes
          ? new Map([['', completes]])
          : await this.#folders.announce(plan.uploads, request.folderHandles);
        this.#folders.add(records.values());
        if (!scope.answersForRemaining.has('cancel')) {
          this.#progress.skip(plan.skipped);
          setPlanned(plan.uploads.length);
          const jobs = makeJobs(plan.uploads, scope, this.#takeIds(plan.uploads), records, destination);
          await this.#addGradually(jobs, scope, () => setPlanned(planned - 1));
        }
      }
    } finally {
      this.#scopes.delete(scope);
      this.#pausedScopes.delete(scope);
      setPlanned(0);
      this.#startWaiting();
    }
  }

  /** Removes the files that this page or another one is already uploading to the same destination. */
  async #withoutActive(
    destination: VirtualPath,
    items: readonly UploadItem[],
  ): Promise<readonly UploadItem[]> {
    const files = identitiesOf(destination, items);
    const identities = files.map(({ identity }) => identity);
    const active = new Set([...this.join(identities), ...(await this.findElsewhere(identities))]);
    if (active.size === 0) return items;
    for (const listener of this.#joinedListeners) listener(active.size);
    const activeItems = new Set([...active].map((index) => files[index]?.item));
    return items.filter((item) => !activeItems.has(item));
  }

  /** Pauses the uploads of one row. A chunked one is resumed at its offset, others start again from the beginning. */
  pause(id: number): void {
    for (const job of this.#progress.jobsOf(id)) this.#pause(job);
    this.#startWaiting();
  }

  /** Resumes the paused uploads of one row, before waiting ones. */
  resume(id: number): void {
    for (const job of this.#progress.jobsOf(id).toReversed()) {
      if (job.state !== 'paused') continue;
      this.#progress.change(job, 'waiting');
      this.#waiting.unshift(job);
    }
    this.#startWaiting();
  }

  pauseAll(): void {
    for (const scope of this.#scopes) this.#pausedScopes.add(scope);
    for (const job of this.#progress.jobs()) this.#pause(job);
  }

  resumeAll(): void {
    this.#pausedScopes.clear();
    for (const job of this.#progress.jobs()) {
      if (job.state !== 'paused') continue;
      this.#progress.change(job, 'waiting');
      this.#waiting.push(job);
    }
    this.#startWaiting();
  }

  /** Cancels the uploads of one row, running or not. */
  cancel(id: number): void {
    for (const job of this.#progress.jobsOf(id)) this.#cancel(job);
    this.#startWaiting();
  }

  /** Cancels everything. Resolves when the server has removed the received bytes, or cannot be reached. */
  async cancelAll(): Promise<void> {
    this.#cancelPrompts();
    for (const job of this.#progress.jobs()) this.#cancel(job);
    this.#startWaiting();
    await Promise.all(this.#discarded);
  }

  /** Stops sending until {@link release}, because nobody is signed in. Running uploads wait with the others. */
  hold(): void {
    this.#isHeld = true;
    for (const job of this.#sending.list().reverse()) this.#requeue(job);
  }

  /** Drops everything without notifying the server, because the files belong to another user than the current one. */
  forget(): void {
    this.#cancelPrompts();
    for (const job of this.#progress.jobs()) this.#end(job);
    this.#progress.forget(() => true);
    this.#folders.clear();
    this.#finishWhenIdle();
  }

  /** Continues after {@link hold}. */
  release(): void {
    this.#isHeld = false;
    this.#startWaiting();
  }

  /** Retries the failed or cancelled uploads of one row; a failed one that was sent in chunks resumes at its offset. */
  retry(id: number): void {
    for (const job of this.#progress.jobsOf(id)) this.#retry(job);
    this.#startWaiting();
  }

  retryFailed(): void {
    for (const job of this.#progress.jobs()) if (job.state === 'failed') this.#retry(job);
    this.#startWaiting();
  }

  /** Clears the list. Does nothing while an upload is running. */
  dismiss(): void {
    if (!this.#isIdle) return;
    for (const job of this.#progress.jobs()) this.#discard(job);
    this.#folders.clear();
    this.#progress.forget(() => true);
  }

  /** Removes finished jobs before new ones are added. */
  #begin(): void {
    if (this.#isIdle) this.#progress.forget((job) => job.state !== 'failed');
    this.#isIdle = false;
  }

  /** Returns the first of as many new ids as there are `uploads`. */
  #takeIds({ length }: readonly PlannedUpload[]): number {
    const first = this.#nextId;
    this.#nextId += length;
    return first;
  }

  #add(job: QueuedJob): void {
    if (job.state === 'waiting' && this.#pausedScopes.has(job.scope)) job.state = 'paused';
    this.#progress.add(job);
    if (job.state === 'waiting') this.#waiting.push(job);
  }

  /**
   * Adds jobs, of which the first ones are sent while the others are created: the size of each chosen file takes a browser a part of a
   * millisecond. Stops when the batch is cancelled.
   */
  async #addGradually(
    jobs: Iterable<QueuedJob>,
    { answersForRemaining }: ConflictScope,
    onAdded: () => void,
  ): Promise<void> {
    const yieldWhenDue = createYielder();
    for (const job of jobs) {
      this.#add(job);
      onAdded();
      const pause = yieldWhenDue();
      if (pause === undefined) continue;
      this.#startWaiting();
      await pause;
      if (answersForRemaining.has('cancel')) return;
    }
  }

  /** Starts waiting jobs up to the limit; notifies listeners if nothing is left to do. */
  #startWaiting(): void {
    while (!this.#isHeld && this.#sending.hasCapacity) {
      const job = this.#waiting.shift();
      if (!job) break;
      void this.#send(job);
    }
    this.#finishWhenIdle();
  }

  async #send(job: QueuedJob): Promise<void> {
    const abort = new AbortController();
    const { path, file, override, partial } = job;
    if (!path) return;
    job.abort = abort;
    job.speed = new UploadSpeed();
    job.speed.sample(job.sentBytes, Date.now());
    this.#sending.add(job);
    this.#progress.change(job, 'sending');
    const onProgress = (sentBytes: number) => {
      if (job.abort === abort) this.#progress.advance(job, sentBytes);
    };
    const onConfirmed = (bytes: number) => {
      if (job.abort === abort) this.#progress.confirm(job, bytes);
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
          folder: job.folder && { id: job.folder.upload.id, file: job.folder.file },
          handle: job.handle,
          onProgress,
          onConfirmed,
          onInterrupted,
        });
      else await this.#transport.createFolder(path, signal);
      if (job.abort === abort) this.#finish(job, path);
    } catch (error) {
      if (job.abort === abort) this.#fail(job, failureOf(error));
    } finally {
      if (job.abort === abort || job.abort === null) this.#sending.delete(job);
      this.#startWaiting();
    }
  }

  #finish(job: QueuedJob, path: VirtualPath): void {
    job.abort = null;
    job.file = null;
    this.#progress.change(job, 'done');
    const isFolder = job.kind === 'folder';
    this.announce({ path, name: job.name, isFolder, size: job.size, modifiedMs: Date.now() });
  }

  /** Notifies the listeners of a finished upload. */
  announce(entry: UploadedEntry): void {
    for (const listener of this.#uploadedListeners) listener(entry);
  }

  #fail(job: QueuedJob, failure: UploadFailure): void {
    job.abort = null;
    // The session has ended; the user may sign in again.
    if (failure === 'not_signed_in') {
      this.#sending.delete(job);
      this.#progress.change(job, 'waiting');
      this.#waiting.unshift(job);
      this.hold();
      return;
    }
    // An upload belongs to one path; the server has discarded one whose name is taken.
    if (failure === 'already_exists') this.#discard(job);
    if (failure === 'already_exists' && job.file && !job.override && !job.hasUnseenConflict) {
      this.#progress.change(job, 'asking');
      void this.#askAboutConflict(job, job.file);
      return;
    }
    // The server has received all bytes.
    if (failure === 'blocked') job.file = null;
    job.failure = failure;
    this.#progress.change(job, 'failed');
  }

  /** Asks about a conflict that arose meanwhile, or deeper than the check before sending. */
  async #askAboutConflict(job: QueuedJob, file: File): Promise<void> {
    const { path, scope } = job;
    if (!path) return;
    const folder = parentOf(path);
    const names = await this.#list(folder);
    const existing = names.get(job.name);
    // The existing entry was removed again, or is hidden from this user: one more attempt determines which.
    job.hasUnseenConflict = !existing;
    const incoming = { isFolder: false, size: file.size, modifiedMs: file.lastModified };
    const answer = existing ? await this.conflicts.ask({ path, incoming, file, existing }, scope) : null;
    if (job.state !== 'asking') return;
    if (answer === 'skip' || answer === 'cancel') {
      this.#progress.change(job, 'skipped');
    } else {
      job.override = answer === 'replace';
      if (answer === 'keep_both') {
        const isTaken = (name: string) =>
          names.has(name) || this.#progress.hasDestination(childOf(folder, name));
        job.name = freeName(job.originalName, false, isTaken);
        this.#progress.redirect(job, childOf(folder, job.name));
      }
      this.#progress.change(job, 'waiting');
      this.#waiting.push(job);
    }
    this.#startWaiting();
  }

  #pause(job: QueuedJob): void {
    // If all bytes have been sent, only the response is missing.
    const isSendingBytes = job.state === 'sending' && job.sentBytes < job.size;
    if (job.state !== 'waiting' && !isSendingBytes) return;
    const { abort } = job;
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'paused');
    abort?.abort();
  }

  #requeue(job: QueuedJob): void {
    const { abort } = job;
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'waiting');
    this.#waiting.unshift(job);
    abort?.abort();
  }

  #cancelPrompts(): void {
    for (const scope of this.#scopes) this.conflicts.cancelScope(scope);
    this.conflicts.cancel(() => true);
  }

  #discard(job: QueuedJob): void {
    if (job.partial.address === null && job.partial.key == null) return;
    const done = this.#transport.discard(job.partial).finally(() => this.#discarded.delete(done));
    this.#discarded.add(done);
  }

  #cancel(job: QueuedJob): void {
    if (this.#end(job)) this.#discard(job);
  }

  /** Ends a job. Returns whether there was something to stop. */
  #end(job: QueuedJob): boolean {
    const { abort, state } = job;
    if (state !== 'waiting' && state !== 'sending' && state !== 'asking' && state !== 'paused') return false;
    const hadPrompt = state === 'asking';
    job.abort = null;
    this.#sending.delete(job);
    this.#progress.change(job, 'cancelled');
    if (hadPrompt) this.conflicts.cancel((conflict) => conflict.path === job.path);
    abort?.abort();
    return true;
  }

  #retry(job: QueuedJob): void {
    if (job.failure === 'blocked') return;
    if ((job.state !== 'failed' && job.state !== 'cancelled') || !job.path) return;
    this.#isIdle = false;
    job.failure = null;
    job.hasUnseenConflict = false;
    job.scope.answersForRemaining.clear();
    this.#progress.change(job, 'waiting');
    this.#waiting.push(job);
  }

  async #list(path: VirtualPath): Promise<FolderNames> {
    try {
      return await this.#transport.listFolder(path);
    } catch {
      // The server refuses conflicts itself, and the reason why the folder cannot be listed will be reported when
      // sending.
      return new Map();
    }
  }

  #finishWhenIdle(): void {
    if (this.#isIdle || this.#progress.isBusy) return;
    this.#isIdle = true;
    const summary = this.#progress.summary();
    this.#progress.resetSpeed();
    this.#folders.end(this.#progress.jobs());
    for (const listener of this.#finishedListeners) listener(summary);
  }
}
