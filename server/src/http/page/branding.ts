import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** Types of the images that a branding folder may hold. */
const imageTypes: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** What is looked for in a branding folder: the stylesheet, and images below `img` (docs/reference/filebrowser-api.md §2.3). */
const knownFile = /^(?:custom\.css|img\/(?:[\w-][\w.-]*\/){0,3}[\w-][\w.-]*\.(\w+))$/;
const stylesheet = 'custom.css';
/** Larger files are not served; in bytes. */
const maxFileBytes = 4 * 1024 * 1024;

/** A file of the branding folder. */
export interface BrandingFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** The folder in which an administrator keeps logo, icons and a stylesheet of their own. */
export interface Branding {
  /** The file `path` below `/static`, such as `img/logo.svg`; null when the folder has none of this name and a known type. */
  file(path: string): Promise<BrandingFile | null>;
  /** Whether there is a stylesheet right now. */
  hasStylesheet(): Promise<boolean>;
}

/** Opens a regular file below `folder`, wherever links lead, and does something with it; null when there is none. */
async function withFile<T>(
  folder: string,
  name: string,
  work: (file: Awaited<ReturnType<typeof open>>, bytes: number) => Promise<T>,
): Promise<T | null> {
  try {
    const top = await realpath(folder);
    const real = await realpath(join(top, name));
    if (!real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) return null;
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= maxFileBytes ? await work(file, stats.size) : null;
    } finally {
      await file.close();
    }
  } catch {
    // Missing or out of reach: the page looks as if there was no branding.
    return null;
  }
}

/** Opens the branding folder that `folder` names at each moment; empty for none. */
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
