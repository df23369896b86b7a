import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

/**
 * The part of the page's model that the tests use; its code is web/src/features/files/listing/model/listing-model.ts.
 */
interface ProbeModel {
  readonly count: number;
  readonly numFolders: number;
  readonly cursor: number | null;
  readonly dragSource: number | null;
  readonly selectedCount: number;
  readonly isSelecting: boolean;
  selectedIds(): number[];
  position(id: number): number | null;
  idAt(position: number): number | null;
  name(id: number): string;
  sort(sorting: { by: 'name' | 'size' | 'modified'; asc: boolean }): void;
  selectOnly(id: number): void;
  clearSelection(): void;
  remove(ids: readonly number[]): void;
  batch(work: () => void): void;
  insert(entry: {
    name: string;
    isFolder: boolean;
    isSymlink: boolean;
    type: '';
    size: number;
    modifiedMs: number;
  }): number;
}

declare global {
  interface Window {
    readonly probe: {
      readonly model: ProbeModel;
      readonly handle: { focus(): void; startRename(id: number): void; reveal(id: number): void } | null;
      readonly calls: readonly { readonly kind: string; readonly [detail: string]: unknown }[];
      reload(): void;
      forget(): void;
      nextFrame(): Promise<number>;
    };
  }
}

const repository = join(import.meta.dirname, '..', '..');
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The listing alone over generated entries, built and served on a free loopback port. */
export interface ListingProbe {
  /** The address of the page; accepts a query such as `?count=100000&view=list&dir=rtl`. */
  readonly url: string;
  /** The folder of the build. */
  readonly folder: string;
  stop(): Promise<void>;
}

function build(folder: string): Promise<void> {
  const vite = join(repository, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = join(repository, 'web', 'vite.probe.config.ts');
  const args = [vite, 'build', '--config', config, '--outDir', folder, '--logLevel', 'error'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: repository });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the page with the listing could not be built (exit code ${code})`));
    });
  });
}

async function serve(file: string, response: ServerResponse): Promise<void> {
  try {
    const bytes = await readFile(file);
    response.writeHead(200, { 'Content-Type': mediaTypes[extname(file)] ?? 'application/octet-stream' });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

export async function startListingProbe(): Promise<ListingProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-listing-'));
  await build(folder);
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    void serve(join(folder, path), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/listing-probe.html`,
    folder,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
