import type { FolderChanges, LiveSource } from '@filestead/contract/endpoints/live';
import { followLive, getLiveVersions } from '@filestead/contract/endpoints/live';
import type { JobEvent } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { currentToken, subscribeToToken } from '../token-store.ts';
import { withBase } from '../urls.ts';
import type { LiveRequest, LiveUpdate } from './live-messages.ts';

/** Receives the changes of a followed folder. */
export interface LiveFolderListener {
  onChanges(changes: FolderChanges): void;
  /** Receives the way in which the server notices changes by other programs. */
  onSource(source: LiveSource): void;
}

interface Followed {
  readonly listener: LiveFolderListener;
  version: string;
}

const folders = new Map<VirtualPath, Set<Followed>>();
const jobListeners = new Set<(event: JobEvent) => void>();
/** Sends a request to the shared connection; null before it is opened. */
let post: ((request: LiveRequest) => void) | null = null;

/**
 * Follows the changes of a folder from `version` on. Changes may be reported twice, and changes before `version` too if other
 * pages follow the folder. Returns the function that stops.
 */
export function followFolder(path: VirtualPath, version: string, listener: LiveFolderListener): () => void {
  const followed: Followed = { listener, version };
  const listeners = folders.get(path) ?? new Set();
  folders.set(path, listeners.add(followed));
  connection()({ kind: 'follow', path, version });
  return () => {
    if (!listeners.delete(followed) || listeners.size > 0) return;
    folders.delete(path);
    connection()({ kind: 'unfollow', path });
  };
}

/** Follows the jobs of the user: changes, and sometimes all jobs. Returns the function that stops. */
export function followJobEvents(listener: (event: JobEvent) => void): () => void {
  jobListeners.add(listener);
  connection()({ kind: 'jobs', isFollowed: true });
  return () => {
    if (jobListeners.delete(listener) && jobListeners.size === 0)
      connection()({ kind: 'jobs', isFollowed: false });
  };
}

function receive(update: LiveUpdate): void {
  if (update.kind === 'jobs') {
    for (const listener of jobListeners) listener(update.event);
    return;
  }
  const path = (update.kind === 'changes' ? update.changes.path : update.path) as VirtualPath;
  for (const followed of folders.get(path) ?? []) {
    if (update.kind === 'source') followed.listener.onSource(update.source);
    else {
      followed.version = update.changes.version;
      followed.listener.onChanges(update.changes);
    }
  }
}

/** Sends the whole state of this page to a new connection. */
function sendState(): void {
  if (post === null) return;
  const stream = location.origin + withBase(followLive.path);
  const versions = location.origin + withBase(getLiveVersions.path);
  post({ kind: 'setup', addresses: { stream, feeds: stream, versions } });
  post({ kind: 'token', token: currentToken() });
  post({ kind: 'visible', isVisible: isVisible() });
  for (const [path, listeners] of folders)
    for (const { version } of listeners) post({ kind: 'follow', path, version });
  if (jobListeners.size > 0) post({ kind: 'jobs', isFollowed: true });
}

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Opens a connection of this page alone, for browsers without shared workers. Its code is loaded only then. */
function openOwn(): (request: LiveRequest) => void {
  const opening = import('./live-hub.ts').then(({ LiveHub }) =>
    new LiveHub({
      openEvents: (url) => new EventSource(url),
      fetch: (url, init) => fetch(url, init),
      pausesWhenHidden: true,
    }).connect(receive),
  );
  return (request) =>
    void opening.then(
      (send) => send(request),
      // Without a connection the page still shows what it has loaded.
      () => undefined,
    );
}

function openShared(): (request: LiveRequest) => void {
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'filestead-live',
  });
  worker.port.addEventListener('message', ({ data }: MessageEvent<LiveUpdate>) => receive(data));
  worker.port.start();
  worker.addEventListener('error', () => {
    // The script could not be loaded.
    post = openOwn();
    sendState();
  });
  const { port } = worker;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Ports have none.
  return (request) => port.postMessage(request);
}

/** Returns the shared connection, and opens it at the first call. */
function connection(): (request: LiveRequest) => void {
  if (post !== null) return (request) => post?.(request);
  if (!('EventSource' in globalThis)) return () => undefined;
  post = 'SharedWorker' in globalThis ? openShared() : openOwn();
  subscribeToToken(() => post?.({ kind: 'token', token: currentToken() }));
  document.addEventListener('visibilitychange', () => post?.({ kind: 'visible', isVisible: isVisible() }));
  addEventListener('pagehide', () => post?.({ kind: 'leave' }));
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sendState();
  });
  sendState();
  // The request of this first call was sent with the whole state.
  return () => undefined;
}
