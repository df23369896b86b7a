import type { FileIdentity, UploadJob } from '../queue/upload-job.ts';
import type { UploadSnapshot } from '../queue/upload-progress.ts';
import type { UploadQueue } from '../queue/upload-queue.ts';
import { tabId, trayChannelName } from './tab-id.ts';

/** The maximum number of rows that a page shows of another one; running uploads come first. */
const maxRows = 100;
/** The minimum time between two messages about the state of a page, in ms. */
const publishEveryMs = 400;
/** The maximum time for which a page waits for the replies of others, in ms; they usually take a few milliseconds. */
const answerMs = 300;
/** A page that has not reported for this time counts as closed, in ms; a page in the background reports once a minute. */
const silentAfterMs = 150_000;
/** The interval at which a page reports even without changes, in ms. */
const heartbeatMs = 20_000;

const lockPrefix = 'filestead.uploads.';

/** The uploads of another open page of the same user and browser. */
export interface PeerTray {
  readonly snapshot: UploadSnapshot;
  readonly rows: readonly UploadJob[];
  /** The addresses of the resumable uploads, and the ids of the folder uploads, that the page works on. */
  readonly addresses: readonly string[];
  readonly folders: readonly string[];
}

/** The actions on the uploads of another page. */
const trayActions = [
  'pause',
  'resume',
  'cancel',
  'retry',
  'pauseAll',
  'resumeAll',
  'cancelAll',
  'retryFailed',
  'dismiss',
] as const;
export type TrayAction = (typeof trayActions)[number];

type Message =
  | { type: 'hello'; from: string }
  | { type: 'bye'; from: string }
  | ({ type: 'state'; from: string } & PeerTray)
  | { type: 'act'; from: string; to: string; action: TrayAction; id: number }
  | { type: 'ask'; from: string; question: number; files: readonly FileIdentity[] }
  | { type: 'answer'; from: string; to: string; question: number; has: readonly number[] };

interface Peer {
  readonly tray: PeerTray;
  reportedAtMs: number;
}

/** The members of the queue that other pages use. */
type SharedQueue = Pick<
  UploadQueue,
  'getSnapshot' | 'subscribe' | 'rows' | 'addresses' | 'folderIds' | 'join' | TrayAction
>;

/**
 * Connects the upload queues of the open pages of one user: each page reports its uploads to the others, and performs the
 * actions that they request. In browsers without BroadcastChannel no other pages are known.
 */
export class OpenTabs {
  readonly #queue: SharedQueue;
  readonly #peers = new Map<string, Peer>();
  readonly #listeners = new Set<() => void>();
  readonly #goneListeners = new Set<() => void>();
  readonly #questions = new Map<number, (from: string, has: readonly number[]) => void>();
  #channel: BroadcastChannel | null = null;
  #stop = new AbortController();
  #nextQuestion = 1;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #publishedAtMs = 0;
  #ready: Promise<void> = Promise.resolve();

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  /** The other pages that have uploads. */
  get peers(): ReadonlyMap<string, PeerTray> {
    return new Map([...this.#peers].map(([id, { tray }]) => [id, tray]));
  }

  /** Calls `listener` when the uploads of another page change. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls `listener` when another page is closed. Returns the function that unsubscribes. */
  onGone(listener: () => void): () => void {
    this.#goneListeners.add(listener);
    return () => this.#goneListeners.delete(listener);
  }

  /** Connects with the other pages of this user. */
  open(userId: number): void {
    this.close();
    if (typeof BroadcastChannel === 'undefined') return;
    const channel = new BroadcastChannel(trayChannelName(userId));
    const stop = new AbortController();
    const { signal } = stop;
    this.#channel = channel;
    this.#stop = stop;
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data), { signal });
    const unsubscribe = this.#queue.subscribe(() => this.#publishSoon());
    const heartbeat = setInterval(() => this.#sendHeartbeat(), heartbeatMs);
    window.addEventListener('pagehide', () => this.#post({ type: 'bye', from: tabId }), { signal });
    // A page that is restored from the browser's cache has sent `bye` before.
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#publish(), { signal });
    signal.addEventListener('abort', () => {
      unsubscribe();
      clearInterval(heartbeat);
      channel.close();
    });
    this.#ready = this.#lock(signal).then(() => {
      if (signal.aborted) return undefined;
      this.#post({ type: 'hello', from: tabId });
      this.#publishSoon();
      return new Promise((resolve) => {
        setTimeout(resolve, answerMs);
      });
    });
  }

  /** Leaves the other pages, when the user signs out. */
  close(): void {
    this.#post({ type: 'bye', from: tabId });
    this.#stop.abort();
    this.#channel = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#peers.size > 0) {
      this.#peers.clear();
      this.#notify();
    }
  }

  /** Returns the ids of the open pages; resolves after they had time to report. */
  async openPages(): Promise<ReadonlySet<string>> {
    await this.#ready;
    const ids = new Set([tabId, ...this.#peers.keys()]);
    if ('locks' in navigator) {
      const { held = [] } = await navigator.locks.query();
      for (const { name = '' } of held)
        if (name.startsWith(lockPrefix)) ids.add(name.slice(lockPrefix.length));
    }
    return ids;
  }

  /** Requests an action of another page. */
  act(to: string, action: TrayAction, id = 0): void {
    this.#post({ type: 'act', from: tabId, to, action, id });
  }

  /** Returns the indexes of the files that other pages are uploading already. Those that are paused there are resumed. */
  async findElsewhere(files: readonly FileIdentity[]): Promise<ReadonlySet<number>> {
    const asked = new Set([...this.#peers].filter(([, { tray }]) => tray.snapshot.isBusy).map(([id]) => id));
    const found = new Set<number>();
    if (asked.size === 0 || files.length === 0) return found;
    const question = this.#nextQuestion++;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, answerMs);
      this.#questions.set(question, (from, has) => {
        for (const index of has) found.add(index);
        asked.delete(from);
        if (asked.size > 0) return;
        clearTimeout(timer);
        resolve();
      });
      this.#post({ type: 'ask', from: tabId, question, files });
    });
    this.#questions.delete(question);
    return found;
  }

  #receive(message: Message): void {
    const { from } = message;
    if (from === tabId) return;
    switch (message.type) {
      case 'hello':
        this.#publish(true);
        return;
      case 'bye':
        this.#drop(from);
        return;
      case 'state': {
        const { snapshot, rows, addresses, folders } = message;
        const isNew = !this.#peers.has(from);
        this.#peers.set(from, { tray: { snapshot, rows, addresses, folders }, reportedAtMs: Date.now() });
        if (isNew) this.#watch(from);
        this.#notify();
        return;
      }
      case 'act':
        if (message.to === tabId && trayActions.includes(message.action))
          void this.#queue[message.action](message.id);
        return;
      case 'ask':
        this.#post({
          type: 'answer',
          from: tabId,
          to: from,
          question: message.question,
          has: this.#queue.join(message.files),
        });
        return;
      case 'answer':
        if (message.to === tabId) this.#questions.get(message.question)?.(from, message.has);
    }
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #publishSoon(): void {
    if (this.#timer !== null || this.#channel === null) return;
    const elapsedMs = Date.now() - this.#publishedAtMs;
    this.#timer = setTimeout(() => this.#publish(), Math.max(0, publishEveryMs - elapsedMs));
  }

  /** Reports the state to the other pages; without known pages the rows are omitted. */
  #publish(withRows = this.#peers.size > 0): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#publishedAtMs = Date.now();
    this.#post({
      type: 'state',
      from: tabId,
      snapshot: this.#queue.getSnapshot(),
      rows: withRows ? this.#queue.rows().slice(0, maxRows).map(plainRow) : [],
      addresses: this.#queue.addresses(),
      folders: this.#queue.folderIds(),
    });
  }

  /** Reports the state, and removes pages that have not reported for long. */
  #sendHeartbeat(): void {
    if (this.#queue.getSnapshot().total > 0) this.#publish();
    if ('locks' in navigator) return;
    for (const [id, { reportedAtMs }] of this.#peers)
      if (Date.now() - reportedAtMs > silentAfterMs) this.#drop(id);
  }

  #drop(id: string): void {
    if (!this.#peers.delete(id)) return;
    this.#notify();
    for (const listener of this.#goneListeners) listener();
  }

  /** Acquires a lock that is released when the page is closed or crashes. */
  #lock(signal: AbortSignal): Promise<void> {
    if (!('locks' in navigator)) return Promise.resolve();
    return new Promise((resolve) => {
      const untilClosed = () => {
        resolve();
        return new Promise<void>((release) => {
          signal.addEventListener('abort', () => release(), { once: true });
        });
      };
      navigator.locks.request(lockPrefix + tabId, untilClosed).catch(() => resolve());
    });
  }

  /** Waits for the lock of another page, which is released when it is closed. */
  #watch(id: string): void {
    if (!('locks' in navigator)) return;
    const { signal } = this.#stop;
    const onReleased = () => this.#drop(id);
    navigator.locks.request(lockPrefix + id, { mode: 'shared', signal }, onReleased).catch(() => undefined);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the properties of a row that can be sent to other pages. */
function plainRow(job: UploadJob): UploadJob {
  const { id, kind, path, name, size, mediaType, bytesPerSecond, state, sentBytes, failure } = job;
  const { isInterrupted, contents } = job;
  const progress = { bytesPerSecond, state, sentBytes, failure, isInterrupted, contents };
  return { id, kind, path, name, size, mediaType, ...progress };
}
