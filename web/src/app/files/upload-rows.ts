import type { EntryType } from '@filestead/contract/files';
import { childOf, nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { announceChange } from '../../features/files/entries/changes.ts';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import { smallFileBytes } from '../../features/uploads/queue/small-file-sender.ts';
import type { UploadJob } from '../../features/uploads/queue/upload-job.ts';
import type { UploadedEntry } from '../../features/uploads/queue/upload-transport.ts';

/** Minimum time between two reloads of the folder while uploads arrive, in ms. */
const reloadEveryMs = 2000;
/** Minimum time between two insertions of entries that have arrived, in ms: each insertion sorts and renders the list. */
const insertEveryMs = 500;
/** More new entries than this are not selected one by one. */
const maxRevealed = 200;

/** Shows uploads into the folder of `session` as rows. Returns the function that stops it. */
export function showUploadRows(session: FolderSession): () => void {
  const rows = new UploadRows(session);
  session.ownUploads = {
    get isBusy() {
      return uploadQueue.isBusy;
    },
    has: (name) => uploadQueue.hasDestination(childOf(session.path, name)),
  };
  const unsubscribers = [
    uploadQueue.subscribe(() => rows.update(uploadQueue.jobs())),
    uploadQueue.onUploaded((entry) => {
      if (parentOf(entry.path) === session.path) rows.onUploaded(entry);
    }),
    uploadQueue.onFinished(() => rows.finish()),
  ];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
    rows.cancelTimers();
    session.ownUploads = null;
  };
}

class UploadRows {
  readonly #session: FolderSession;
  /** The names that are being sent, and whether the folder contained them before. */
  readonly #sending = new Map<string, { existed: boolean }>();
  readonly #uploaded = new Set<string>();
  /** Entries that have arrived and have no row yet. */
  readonly #arrived: UploadedEntry[] = [];
  #insertTimer: ReturnType<typeof setTimeout> | null = null;
  #reloadTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(session: FolderSession) {
    this.#session = session;
  }

  update(jobs: readonly UploadJob[]): void {
    const { model, path } = this.#session;
    const current = new Set<string>();
    model.batch(() => {
      for (const job of jobs) {
        // Running jobs come first, then those with an open prompt, then paused ones.
        if (job.state !== 'sending' && job.state !== 'asking' && job.state !== 'paused') break;
        if (job.state !== 'sending' && job.sentBytes === 0) continue;
        // Small files have no visible progress, and hundreds of them are sent at once.
        if (job.kind === 'file' && job.size <= smallFileBytes) continue;
        if (job.path === null || parentOf(job.path) !== path) continue;
        const name = nameOf(job.path);
        current.add(name);
        if (!this.#sending.has(name)) this.#sending.set(name, { existed: model.find(name) !== null });
        model.setPending(entryOf(job, name), job.size > 0 ? job.sentBytes / job.size : 0);
      }
      for (const [name, { existed }] of this.#sending) {
        if (current.has(name)) continue;
        this.#sending.delete(name);
        if (this.#uploaded.has(name)) model.completePending(name, { modifiedMs: Date.now() });
        else model.removePending(name, { existed });
      }
    });
  }

  onUploaded(entry: UploadedEntry): void {
    this.#uploaded.add(entry.name);
    this.#arrived.push(entry);
    // The first entry is inserted at once, those that follow soon after it together.
    if (this.#insertTimer === null) {
      this.#insertArrived();
      this.#insertTimer = setTimeout(() => {
        this.#insertTimer = null;
        this.#insertArrived();
      }, insertEveryMs);
    }
    if (!this.#session.isLive) this.#reloadSoon();
  }

  #reloadSoon(): void {
    this.#reloadTimer ??= setTimeout(() => {
      this.#reloadTimer = null;
      announceChange({ folders: [this.#session.path] });
    }, reloadEveryMs);
  }

  /** Adds rows for entries that were sent too quickly for a pending row. */
  #insertArrived(): void {
    const { model } = this.#session;
    if (this.#arrived.length === 0) return;
    model.batch(() => {
      for (const { name, isFolder, size, modifiedMs } of this.#arrived)
        if (model.phase === 'ready' && model.find(name) === null)
          model.insert({ name, isFolder, isSymlink: false, type: isFolder ? '' : 'blob', size, modifiedMs });
    });
    this.#arrived.length = 0;
  }

  finish(): void {
    this.#insertArrived();
    this.update([]);
    this.cancelTimers();
    if (this.#uploaded.size === 0) return;
    const { model, path } = this.#session;
    const names = model.selectedCount === 0 && this.#uploaded.size <= maxRevealed ? [...this.#uploaded] : [];
    this.#uploaded.clear();
    announceChange({ folders: [path] });
    this.#session.reveal(names);
  }

  cancelTimers(): void {
    if (this.#insertTimer !== null) clearTimeout(this.#insertTimer);
    this.#insertTimer = null;
    if (this.#reloadTimer !== null) clearTimeout(this.#reloadTimer);
    this.#reloadTimer = null;
  }
}

const entryOf = (job: UploadJob, name: string) => ({
  name,
  isFolder: job.kind === 'folder',
  isSymlink: false,
  type: typeOf(job),
  size: job.size,
  modifiedMs: Date.now(),
});

/** Guesses the type that the server will report; the next reload of the folder corrects it. */
function typeOf({ kind, mediaType }: UploadJob): EntryType {
  if (kind === 'folder') return '';
  if (mediaType === 'application/pdf') return 'pdf';
  const [type] = mediaType.split('/');
  return type === 'image' || type === 'audio' || type === 'video' || type === 'text' ? type : 'blob';
}
