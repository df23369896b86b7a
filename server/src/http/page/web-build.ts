import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Precompressed variants of a build's file, best first. */
const encodings = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

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

/**
 * Opens the build in `folder`. Its files are listed once, so that requests cannot name others; contents are
 * cached once read.
 */
export function openWebBuild(folder: string): WebBuild {
  const files = filesBelow(folder);
  const contents = new Map<string, Promise<Buffer>>();
  const contentOf = (name: string): Promise<Buffer> | null => {
    const path = files.get(name);
    if (path === undefined) return null;
    const content = contents.get(name) ?? readFile(path);
    contents.set(name, content);
    return content;
  };
  return {
    async asset(path, accepted) {
      if (!files.has(path) || path.endsWith('.br') || path.endsWith('.gz') || path === 'index.html')
        return null;
      const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      const availableEncodings = encodings.filter(({ suffix }) => files.has(`${path}${suffix}`));
      const best = availableEncodings.find(({ coding }) =>
        new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0)`, 'i').test(accepted),
      );
      const bytes = await contentOf(`${path}${best?.suffix ?? ''}`);
      if (bytes === null) return null;
      return { bytes, type, coding: best?.coding ?? null, varies: availableEncodings.length > 0 };
    },
    async page() {
      return (await contentOf('index.html'))?.toString('utf8') ?? null;
    },
  };
}
