import { pageConfig } from '../../api/page-config.ts';
import { cacheName, nameHeader, sharedItemsPath } from './worker-names.ts';

/** The time for which shared files are kept until the user chooses a destination, in ms. */
const maxAgeMs = 60 * 60 * 1000;

/**
 * Removes the files that other applications have shared from the service worker's cache and returns them. A text
 * without a title is named `defaultName`. Empty where there is no such cache.
 */
export async function takeSharedFiles(defaultName: string, nowMs = Date.now()): Promise<File[]> {
  const scope = `${pageConfig.BaseURL}/`;
  const files: File[] = [];
  try {
    const cache = await caches.open(cacheName(scope, 'shared'));
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      await cache.delete(request);
      const id = new URL(request.url).pathname.slice(scope.length + sharedItemsPath.length);
      const sharedMs = Number(id.split('-', 1)[0]);
      if (!response || nowMs - sharedMs > maxAgeMs) continue;
      files.push(await toFile(response, defaultName));
    }
  } catch {
    // Storage is forbidden, or an item is damaged: the readable files are returned.
  }
  return files;
}

async function toFile(response: Response, defaultName: string): Promise<File> {
  const name = decodeURIComponent(response.headers.get(nameHeader) ?? '');
  const type = response.headers.get('Content-Type') ?? '';
  const isText = type.startsWith('text/plain') && !/\.[^.]+$/u.test(name);
  const fileName = `${(name || defaultName).replaceAll(/[/\\]/gu, ' ')}${isText ? '.txt' : ''}`;
  return new File([await response.blob()], fileName, { type });
}
