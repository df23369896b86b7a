import type { CollectedItems, UploadItem } from './upload-item.ts';

/**
 * Collects the files of a file input. A folder input gives each file a relative path but no folders; they are derived,
 * each before its content. The browser omits empty folders.
 */
export function collectChosen(files: Iterable<File>): CollectedItems {
  const items: UploadItem[] = [];
  const folders = new Set<string>();
  for (const file of files) {
    const relativePath = file.webkitRelativePath || file.name;
    for (let end = relativePath.indexOf('/'); end >= 0; end = relativePath.indexOf('/', end + 1)) {
      const folder = relativePath.slice(0, end);
      if (folders.has(folder)) continue;
      folders.add(folder);
      items.push({ kind: 'folder', relativePath: folder });
    }
    items.push({ kind: 'file', relativePath, file });
  }
  return { items, unreadable: [] };
}

/** Collects the files of Chromium's file picker, which can be read again after a reload. */
export async function collectPicked(handles: readonly FileSystemFileHandle[]): Promise<CollectedItems> {
  const items: UploadItem[] = [];
  const unreadable: string[] = [];
  for (const handle of handles) {
    try {
      items.push({ kind: 'file', relativePath: handle.name, file: await handle.getFile(), handle });
    } catch {
      unreadable.push(handle.name);
    }
  }
  return { items, unreadable };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats local time as `2026-11-21 14.02.33`, which sorts by time and is valid on every file system. */
function timeInName(now: Date): string {
  const date = `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.');
  return `${date} ${time}`;
}

/**
 * Collects the pasted files. Browsers call every pasted picture `image.png`; such a picture is named by
 * `nameOfImage` with the time, so that the next one does not conflict with it.
 */
export function collectPasted(
  files: readonly File[],
  nameOfImage: (time: string) => string,
  now: Date = new Date(),
): CollectedItems {
  const items = files.map((file): UploadItem => {
    const [, extension] = /^image(\.(?:png|jpe?g|gif|webp|bmp|tiff?))$/i.exec(file.name) ?? [];
    const relativePath = extension === undefined ? file.name : nameOfImage(timeInName(now)) + extension;
    return { kind: 'file', relativePath, file };
  });
  return { items, unreadable: [] };
}
