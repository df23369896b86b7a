/** Names that the page and the service worker share. Paths are below the base URL, without a leading slash. */

/** The path to which the operating system sends shared files; the web manifest contains it too. */
export const sharePath = 'share-target';
/**
 * Shared files are stored below this path in {@link cacheName} `shared` until the page reads them; never on the
 * server.
 */
export const sharedItemsPath = 'shared-items/';
/** The page that is shown when the server cannot be reached. */
export const offlinePagePath = 'offline.html';
/** The query parameter of the files screen that is set when content was shared with the application. */
export const sharedQuery = 'shared';
/** The header with the name of a shared file, percent-encoded. Empty for a text without a title. */
export const nameHeader = 'x-file-name';

/**
 * Returns the name of a cache. Several instances may be served below one origin, so each has its own caches. `scope`
 * is the base URL with a slash.
 */
export const cacheName = (scope: string, kind: 'assets' | 'offline' | 'shared'): string =>
  `filestead ${scope} ${kind}`;

/**
 * The message that requests from a worker the page script of its version; the response arrives through the port as a path.
 */
export const versionRequest = 'which version?';
/** The message that activates a waiting worker. */
export const skipWaitingMessage = 'take over';
