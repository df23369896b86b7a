import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const repository = join(import.meta.dirname, '..', '..');
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** A page of its own beside the product, built and served on a free loopback port. */
export interface BuiltPage {
  /** The address of the page, without a query. */
  readonly url: string;
  /** The folder of the build. */
  readonly folder: string;
  stop(): Promise<void>;
}

function build(config: string, folder: string): Promise<void> {
  const vite = join(repository, 'node_modules', 'vite', 'bin', 'vite.js');
  const path = join(repository, 'web', config);
  const args = [vite, 'build', '--config', path, '--outDir', folder, '--logLevel', 'error'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: repository });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the page of ${config} could not be built (exit code ${code})`));
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

/** Builds a page by its Vite configuration (below `web/`) and serves it. `document` is the HTML file of the build. */
export async function startBuiltPage(config: string, document: string): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-page-'));
  await build(config, folder);
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    void serve(join(folder, path), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${document}`,
    folder,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
