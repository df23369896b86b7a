/** What page and service worker call things between them. Paths are below the base URL, without a leading slash. */

/** Where the operating system sends what is shared with the product; the web manifest says so too. */
export const sharePath = 'share-target';
/** What was shared lies here in {@link cacheName} `shared` until the page takes it; never on the server. */
export const sharedItemsPath = 'shared-items/';
/** The page that is shown when the server cannot be reached. */
export const offlinePagePath = 'offline.html';
/** The query by which the files screen learns that something was shared. */
export const sharedQuery = 'shared';
/** The name of a shared file, percent-encoded. Empty for a text that came without a title. */
export const nameHeader = 'x-file-name';

/** Several instances may be served below one origin: each has caches of its own. `scope` is its base URL with a slash. */
export const cacheName = (scope: string, kind: 'assets' | 'offline' | 'shared'): string =>
  `filestead ${scope} ${kind}`;

/** Asks a worker for the page script of its version; the answer comes through the port as a path. */
export const askVersion = 'which version?';
/** Lets a waiting worker take over from the old one. */
export const skipWaitingMessage = 'take over';
