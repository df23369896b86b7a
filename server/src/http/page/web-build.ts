import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The ways in which a build's file may lie beside itself compressed, best first. */
const encodings = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

/** Types of the files of a web build. Anything else is sent as bytes. */
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
  /** `Content-Encoding`; null when the bytes are plain. */
  readonly coding: string | null;
  /** Whether the file also exists in other encodings. */
  readonly varies: boolean;
}

/** The built web application. */
export interface WebBuild {
  /** The file at `path` (without a leading slash) in the best encoding that `accepted` names; null when there is none. */
  asset(path: string, accepted: string): Promise<Asset | null>;
  /** The page, as it was built; null when there is no build. */
  page(): Promise<string | null>;
}

/** All files below `folder` by their path with `/`; none when the folder is missing. */
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

/** Opens the build in `folder`. Its files are found once, so no request can name another; contents are kept once read. */
export function openWebBuild(folder: string): WebBuild {
  const files = filesBelow(folder);
  const contents = new Map<string, Promise<Buffer>>();
  const contentOf = (name: string): Promise<Buffer> | null => {
    const path = files.get(name);
    if (path === undefined) return null;
    const known = contents.get(name) ?? readFile(path);
    contents.set(name, known);
    return known;
  };
  return {
    async asset(path, accepted) {
      if (!files.has(path) || path.endsWith('.br') || path.endsWith('.gz') || path === 'index.html')
        return null;
      const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      const stored = encodings.filter(({ suffix }) => files.has(`${path}${suffix}`));
      const best = stored.find(({ coding }) =>
        new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0)`, 'i').test(accepted),
      );
      const bytes = await contentOf(`${path}${best?.suffix ?? ''}`);
      if (bytes === null) return null;
      return { bytes, type, coding: best?.coding ?? null, varies: stored.length > 0 };
    },
    async page() {
      return (await contentOf('index.html'))?.toString('utf8') ?? null;
    },
  };
}
