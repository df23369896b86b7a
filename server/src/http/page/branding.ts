import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** Media types of images in a branding folder. */
const imageTypes: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/**
 * Files that are served from a branding folder: the stylesheet, and images below `img`
 * (docs/reference/filebrowser-api.md §2.3).
 */
const knownFile = /^(?:custom\.css|img\/(?:[\w-][\w.-]*\/){0,3}[\w-][\w.-]*\.(\w+))$/;
const stylesheet = 'custom.css';
/** Maximum size of a served file, in bytes. */
const maxFileBytes = 4 * 1024 * 1024;

/** A file of the branding folder. */
export interface BrandingFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** A folder with the administrator's own logo, icons and stylesheet. */
export interface Branding {
  /**
   * Returns the file `path` below `/static`, such as `img/logo.svg`; null if there is none or its type is
   * unknown.
   */
  file(path: string): Promise<BrandingFile | null>;
  /** Whether the stylesheet currently exists. */
  hasStylesheet(): Promise<boolean>;
}

/**
 * Runs `work` with a regular file that is really below `folder`, after resolving links; null if there is
 * none.
 */
async function withFile<T>(
  folder: string,
  name: string,
  work: (file: Awaited<ReturnType<typeof open>>, bytes: number) => Promise<T>,
): Promise<T | null> {
  try {
    const top = await realpath(folder);
    const realFile = await realpath(join(top, name));
    if (!realFile.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) return null;
    const file = await open(realFile, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= maxFileBytes ? await work(file, stats.size) : null;
    } finally {
      await file.close();
    }
  } catch {
    // Missing or outside the folder: the page is shown without branding.
    return null;
  }
}

/** Opens the branding folder. `folder` returns its current path, empty for none. */
export function openBranding(folder: () => string): Branding {
  return {
    async file(path) {
      const match = knownFile.exec(path);
      const type = match?.[1] === undefined ? 'text/css; charset=utf-8' : imageTypes[match[1].toLowerCase()];
      if (folder() === '' || match === null || type === undefined) return null;
      return withFile(resolve(folder()), path, async (file, bytes) => {
        const buffer = Buffer.alloc(bytes);
        const { bytesRead } = await file.read(buffer, 0, bytes, 0);
        return { bytes: buffer.subarray(0, bytesRead), type };
      });
    },
    async hasStylesheet() {
      if (folder() === '') return false;
      return (await withFile(resolve(folder()), stylesheet, async () => true)) ?? false;
    },
  };
}
