import { pageConfig } from '../../api/page-config.ts';
import { cacheName, nameHeader, sharedItemsPath } from './worker-names.ts';

/** What other applications have shared is kept for the question where it shall go, at most this long, in ms. */
const keptMs = 60 * 60 * 1000;

/**
 * Takes the files that the service worker has kept out of its store. A text without a title is called `nameOfText`.
 * Empty where there is no such store.
 */
export async function takeSharedFiles(nameOfText: string, nowMs = Date.now()): Promise<File[]> {
  const scope = `${pageConfig.BaseURL}/`;
  const files: File[] = [];
  try {
    const cache = await caches.open(cacheName(scope, 'shared'));
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      await cache.delete(request);
      const id = new URL(request.url).pathname.slice(scope.length + sharedItemsPath.length);
      const keptSinceMs = Number(id.split('-', 1)[0]);
      if (!answer || nowMs - keptSinceMs > keptMs) continue;
      files.push(await fileOf(answer, nameOfText));
    }
  } catch {
    // Storage is forbidden, or an item of it is broken: what could be read is handed over.
  }
  return files;
}

async function fileOf(answer: Response, nameOfText: string): Promise<File> {
  const name = decodeURIComponent(answer.headers.get(nameHeader) ?? '');
  const type = answer.headers.get('Content-Type') ?? '';
  const isText = type.startsWith('text/plain') && !/\.[^.]+$/u.test(name);
  const fileName = `${(name || nameOfText).replaceAll(/[/\\]/gu, ' ')}${isText ? '.txt' : ''}`;
  return new File([await answer.blob()], fileName, { type });
}
