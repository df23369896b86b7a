import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { accepts } from '../request/accepts.ts';

const toGzip = promisify(gzip);

/** Suffix of the files that the build has compressed with Brotli. */
const brotliSuffix = '.br';

/** Media types of files of a web build. Others are sent as bytes. */
const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json; charset=utf-8',
  woff2: 'font/woff2',
};

/** A file of the web build in one encoding. */
export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  /** `Content-Encoding`; null if uncompressed. */
  readonly coding: string | null;
  /** Whether the file also exists with other encodings. */
  readonly varies: boolean;
}

/** The built web application. */
export interface WebBuild {
  /**
   * Returns the file at `path` (without a leading slash) in the best encoding of `accepted`; null if there is
   * none.
   */
  asset(path: string, accepted: string): Promise<Asset | null>;
  /** Returns the page as built; null if there is no build. */
  page(): Promise<string | null>;
}

/** Returns all files below `folder` by their path with `/`; empty if the folder is missing. */
function filesBelow(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (path: string, prefix: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) visit(join(path, entry.name), `${name}/`);
      else if (entry.isFile()) files.set(name, join(path, entry.name));
    }
  };
  try {
    visit(folder, '');
  } catch {
    files.clear();
  }
  return files;
}

/** Returns the content from the cache, or loads it. A failure is not cached. */
function cachedContent(
  cache: Map<string, Promise<Buffer>>,
  name: string,
  load: () => Promise<Buffer>,
): Promise<Buffer> {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const content = load();
  cache.set(name, content);
  content.catch(() => cache.delete(name));
  return content;
}

/**
 * Opens the build in `folder`. Its files are listed once, so that requests cannot name others; contents are
 * cached once read. Files with a Brotli form are compressed with gzip when the first client needs that: only
 * browsers of plain HTTP do, and a gzip form of every file would be a fifth of the packages.
 */
export function openWebBuild(folder: string): WebBuild {
  const files = filesBelow(folder);
  const contents = new Map<string, Promise<Buffer>>();
  const gzipped = new Map<string, Promise<Buffer>>();
  const contentOf = (name: string): Promise<Buffer> | null => {
    const path = files.get(name);
    return path === undefined ? null : cachedContent(contents, name, () => readFile(path));
  };
  return {
    async asset(name, accepted) {
      const path = files.get(name);
      if (path === undefined || name.endsWith(brotliSuffix) || name === 'index.html') return null;
      const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      const varies = files.has(`${name}${brotliSuffix}`);
      const best = (['br', 'gzip'] as const).find((coding) => varies && accepts(accepted, coding)) ?? null;
      const bytes = await (best === 'gzip'
        ? cachedContent(gzipped, name, async () => toGzip(await readFile(path)))
        : contentOf(best === null ? name : `${name}${brotliSuffix}`));
      return bytes === null ? null : { bytes, type, coding: best, varies };
    },
    async page() {
      return (await contentOf('index.html'))?.toString('utf8') ?? null;
    },
  };
}
