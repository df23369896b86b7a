import {
  versionRequest,
  cacheName,
  nameHeader,
  offlinePagePath,
  sharedItemsPath,
  sharedQuery,
  sharePath,
  skipWaitingMessage,
} from '../src/features/installable/worker-names.ts';

declare const self: ServiceWorkerGlobalScope;
/** All files of this build with a hash in their name; inserted by the build (service-worker-plugin.ts). */
declare const builtAssets: readonly string[];
/** The entry script of the page, whose hash identifies the version. */
declare const builtEntry: string;

/** The base URL with a trailing slash. */
const scope = new URL(self.registration.scope).pathname;
const hashedPrefix = 'static/assets/';

const offlineHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** Shown until a page has cached an offline page in the user's language. */
const plainOfflinePage =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><title>Offline</title><main><h1>The server cannot be reached</h1>' +
  '<p><a href="">Try again</a></p></main>';

/** Removes cached files of older versions. */
async function removeOldCaches(): Promise<void> {
  const cache = await caches.open(cacheName(scope, 'assets'));
  const current = new Set(builtAssets.map((path) => scope + path));
  for (const request of await cache.keys()) {
    if (!current.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}

/** Fetches the page from the network; without a connection returns the offline page. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    const cache = await caches.open(cacheName(scope, 'offline'));
    const cached = await cache.match(scope + offlinePagePath);
    const html = cached ? await cached.text() : plainOfflinePage;
    return new Response(html, { status: 503, headers: offlineHeaders });
  }
}

/** Returns a file whose name contains a hash of its content; cached permanently once it has been fetched. */
async function openAsset(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cache = await caches.open(cacheName(scope, 'assets'));
  const cached = await cache.match(request.url, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  // If the storage is full or forbidden, only speed is lost.
  if (response.status === 200)
    event.waitUntil(cache.put(request.url, response.clone()).catch(() => undefined));
  return response;
}

/** Stores the files that another application shares until the page has asked for their destination. */
async function storeSharedFiles(request: Request): Promise<Response> {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const cache = await caches.open(cacheName(scope, 'shared'));
  let count = 0;
  const store = async (content: Blob | string, name: string, type: string) => {
    count += 1;
    const headers = { 'content-type': type, [nameHeader]: encodeURIComponent(name) };
    await cache.put(`${scope}${sharedItemsPath}${Date.now()}-${count}`, new Response(content, { headers }));
  };
  for (const file of form.getAll('files')) {
    if (file instanceof File && file.name !== '') {
      await store(file, file.name, file.type || 'application/octet-stream');
    }
  }
  const sharedText = [text('text'), text('url')].filter((part) => part !== '').join('\n');
  if (count === 0 && sharedText !== '') await store(`${sharedText}\n`, text('title'), 'text/plain');
  return Response.redirect(`${scope}files/?${sharedQuery}`, 303);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches());
});

self.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) void self.skipWaiting();
  if (event.data === versionRequest) event.ports[0]?.postMessage(builtEntry);
});

// All other requests, including everything below /api, go to the server as if there were no service worker.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(scope)) return;
  const path = url.pathname.slice(scope.length);
  if (request.method === 'POST' && path === sharePath) event.respondWith(storeSharedFiles(request));
  if (request.method !== 'GET' || /^(?:api|health)(?:\/|$)/u.test(path)) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request));
  else if (path.startsWith(hashedPrefix)) event.respondWith(openAsset(event));
});
