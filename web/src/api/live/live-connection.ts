import type { FollowedFolder, FolderChanges, LiveEvent } from '@filestead/contract/endpoints/live';
import type { Job, JobEvent } from '@filestead/contract/jobs';
import { maxLiveFolders } from '@filestead/contract/values/limits';
import { applyToJobs } from './apply-to-jobs.ts';
import type { LiveAddresses, LiveUpdate } from './live-messages.ts';

/** The time without a first event after which a proxy is assumed to buffer events, in ms. */
export const helloTimeoutMs = 5000;
/** The interval at which versions are polled while no events arrive, in ms. */
export const pollIntervalMs = 5000;
/** The delays before a refused stream is opened again, in ms; the last one repeats. */
const reopenDelaysMs = [5000, 15_000, 60_000];

/** The parts of the browser that a connection uses; replaced in tests. */
export interface ConnectionParts {
  readonly openEvents: (url: string) => EventSource;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly emit: (update: LiveUpdate) => void;
  /** Whether any page is visible; otherwise versions are not polled. */
  readonly isVisible: () => boolean;
}

type Timer = ReturnType<typeof setTimeout>;

/**
 * The stream of changes of all pages that share it. Keeps it open, sets its folders, and polls versions while no events arrive.
 * The versions of the folders ensure that no change is missed in between.
 */
export class LiveConnection {
  readonly #parts: ConnectionParts;
  #addresses: LiveAddresses | null = null;
  #token: string | null = null;
  /** A token whose session has ended. */
  #endedToken: string | null = null;
  /** The followed folders with the versions that the pages have, the one opened last at the end. */
  readonly #versions = new Map<string, string>();
  #isNeeded = false;
  #stream: EventSource | null = null;
  #feed: string | null = null;
  #isSetting = false;
  #isSettingDue = false;
  #helloTimer: Timer | undefined;
  #reopenTimer: Timer | undefined;
  #refusals = 0;
  #pollTimer: Timer | undefined;
  /** The jobs of the user as last reported in the open stream. */
  #jobs: readonly Job[] = [];

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  setAddresses(addresses: LiveAddresses): void {
    this.#addresses = addresses;
    this.#update();
  }

  /** Sets the token of the session. A renewed token does not reopen the stream; signing out and in does. */
  setToken(token: string | null): void {
    if (token === this.#token) return;
    const wasSignedOut = this.#token === null;
    this.#token = token;
    if (token === null || wasSignedOut) this.#closeStream();
    this.#update();
  }

  /** Sets whether any page needs the stream. */
  setNeeded(isNeeded: boolean): void {
    this.#isNeeded = isNeeded;
    this.#update();
  }

  /** The jobs that the open stream has reported. A page that begins to follow jobs has missed these events. */
  get jobs(): readonly Job[] {
    return this.#jobs;
  }

  /** Follows a folder from `version` on; again, if it is followed already. */
  follow(path: string, version: string): void {
    this.#versions.delete(path);
    this.#versions.set(path, version);
    this.#sendFolders();
  }

  unfollow(path: string): void {
    if (this.#versions.delete(path)) this.#sendFolders();
  }

  #update(): void {
    const shouldBeOpen = this.#isNeeded && this.#token !== null && this.#token !== this.#endedToken;
    if (!shouldBeOpen) this.#closeStream();
    else if (this.#stream === null && this.#reopenTimer === undefined) this.#openStream();
  }

  #openStream(): void {
    if (this.#addresses === null) return;
    const stream = this.#parts.openEvents(this.#addresses.stream);
    this.#stream = stream;
    this.#helloTimer = setTimeout(() => this.#startPolling(), helloTimeoutMs);
    const on = <E extends LiveEvent['event']>(
      event: E,
      handle: (data: Extract<LiveEvent, { event: E }>['data']) => void,
    ): void =>
      stream.addEventListener(event, ({ data }: MessageEvent<string>) => {
        if (this.#stream === stream) handle(JSON.parse(data));
      });
    on('hello', ({ feed }) => this.#onHello(feed));
    on('folder', (changes) => this.#onChanges(changes));
    on('source', ({ path, source }) => this.#parts.emit({ kind: 'source', path, source }));
    on('jobs', (data) => this.#onJobs({ event: 'snapshot', data }));
    on('job', (data) => this.#onJobs({ event: 'job', data }));
    on('job_removed', (data) => this.#onJobs({ event: 'removed', data }));
    on('bye', ({ why }) => {
      if (why === 'session') this.#endSession();
    });
    stream.addEventListener('error', () => {
      if (this.#stream !== stream) return;
      this.#feed = null;
      // After a response other than a stream the browser does not reconnect by itself.
      if (stream.readyState === 2) this.#reopenLater();
    });
  }

  #closeStream(): void {
    clearTimeout(this.#helloTimer);
    clearTimeout(this.#reopenTimer);
    this.#reopenTimer = undefined;
    this.#stopPolling();
    this.#stream?.close();
    this.#stream = null;
    this.#feed = null;
    this.#jobs = [];
  }

  #reopenLater(): void {
    this.#closeStream();
    this.#startPolling();
    const delayMs = reopenDelaysMs[Math.min(this.#refusals, reopenDelaysMs.length - 1)];
    this.#refusals += 1;
    this.#reopenTimer = setTimeout(() => {
      this.#reopenTimer = undefined;
      this.#update();
    }, delayMs);
  }

  #endSession(): void {
    this.#endedToken = this.#token;
    this.#update();
  }

  #onHello(feed: string): void {
    this.#refusals = 0;
    clearTimeout(this.#helloTimer);
    this.#stopPolling();
    this.#feed = feed;
    this.#sendFolders();
  }

  #onJobs(event: JobEvent): void {
    this.#jobs = applyToJobs(this.#jobs, event);
    this.#parts.emit({ kind: 'jobs', event });
  }

  #onChanges(changes: FolderChanges): void {
    if (!this.#versions.has(changes.path)) return;
    this.#versions.set(changes.path, changes.version);
    this.#parts.emit({ kind: 'changes', changes });
  }

  get #body(): string {
    // Beyond the limit, the folders that were opened longest ago are not followed.
    const folders = [...this.#versions].slice(-maxLiveFolders).map(([path, version]) => ({ path, version }));
    return JSON.stringify({ folders });
  }

  /** Returns the JSON of the response; null when the server cannot be reached, or has refused. */
  async #request(method: 'PUT' | 'POST', url: string): Promise<{ status: number; json: unknown } | null> {
    const token = this.#token;
    if (token === null) return null;
    try {
      const response = await this.#parts.fetch(url, {
        method,
        headers: { 'X-Auth': token, 'Content-Type': 'application/json', Accept: 'application/json' },
        body: this.#body,
        redirect: 'error',
      });
      return { status: response.status, json: response.ok ? ((await response.json()) as unknown) : null };
    } catch {
      return null;
    }
  }

  /** Sends the list of folders, one request at a time. */
  #sendFolders(): void {
    if (this.#isSetting) {
      this.#isSettingDue = true;
      return;
    }
    const feed = this.#feed;
    if (feed === null || this.#addresses === null) return;
    this.#isSetting = true;
    this.#isSettingDue = false;
    void this.#putFolders(feed, `${this.#addresses.feeds}/${feed}`);
  }

  async #putFolders(feed: string, url: string): Promise<void> {
    const response = await this.#request('PUT', url);
    this.#isSetting = false;
    if (this.#feed === feed && response !== null) this.#handleFolders(response);
    if (this.#isSettingDue) this.#sendFolders();
  }

  #handleFolders({ status, json }: { status: number; json: unknown }): void {
    if (status === 200) {
      for (const { path, source, code } of json as FollowedFolder[]) {
        if (source !== undefined) this.#parts.emit({ kind: 'source', path, source });
        // The page learns other reasons when it lists the folder again.
        const reason = code === 'not_found' && { code };
        if (code !== undefined)
          this.#parts.emit({ kind: 'changes', changes: { path, version: '', again: true, ...reason } });
      }
    } else if (status === 404) {
      // The feed has ended; the stream is about to be opened again.
      this.#closeStream();
      this.#update();
    } else if (status === 401) this.#endSession();
  }

  #startPolling(): void {
    if (this.#pollTimer !== undefined) return;
    const poll = async (): Promise<void> => {
      if (this.#parts.isVisible() && this.#versions.size > 0) await this.#requestVersions();
      if (this.#pollTimer !== undefined) this.#pollTimer = setTimeout(() => void poll(), pollIntervalMs);
    };
    this.#pollTimer = setTimeout(() => void poll(), 0);
  }

  #stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  async #requestVersions(): Promise<void> {
    if (this.#addresses === null) return;
    const response = await this.#request('POST', this.#addresses.versions);
    if (response?.status === 401) this.#endSession();
    if (response?.status !== 200 || this.#pollTimer === undefined) return;
    for (const changes of response.json as FolderChanges[]) {
      const { path, version, again, code, source } = changes;
      if (source !== undefined) this.#parts.emit({ kind: 'source', path, source });
      const isReadable = code === undefined || again === true;
      if (isReadable && version !== this.#versions.get(path)) this.#onChanges(changes);
    }
  }
}
