import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../e2e/support/free-port.ts';

/** A plain file server on loopback that the product is compared with: nginx, or a bare Node stream where it is missing. */
export interface Reference {
  readonly name: string;
  /** The process, for its processor time; null for a server in this process. */
  readonly pid: number | null;
  /** Without a trailing slash; GET reads below `root`, PUT writes there. */
  readonly url: string;
  stop(): Promise<void>;
}

const nginxPath = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((path) =>
  existsSync(path),
);

/** nginx with one worker per core, sendfile, and PUT where the build has the DAV module. */
async function startNginx(path: string, root: string): Promise<Reference> {
  const home = await mkdtemp(join(tmpdir(), 'filestead-nginx-'));
  await chmod(home, 0o755);
  await mkdir(join(home, 'body'));
  const port = await findFreePort();
  const isRoot = process.getuid?.() === 0;
  await writeFile(
    join(home, 'nginx.conf'),
    `${isRoot ? 'user root;' : ''} daemon off; worker_processes 2; error_log stderr crit; pid ${home}/pid;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; client_max_body_size 0;
  client_body_temp_path ${home}/body; proxy_temp_path ${home}/p; fastcgi_temp_path ${home}/f; uwsgi_temp_path ${home}/u; scgi_temp_path ${home}/s;
  server { listen 127.0.0.1:${port}; root ${root}; location / { dav_methods PUT; } } }`,
  );
  const child = spawn(path, ['-p', home, '-c', join(home, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (part) => (errors += String(part)));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const response = await fetch(url).catch(() => null);
    if (response) {
      await response.arrayBuffer();
      break;
    }
    if (child.exitCode !== null || tries > 400) throw new Error(`nginx did not start: ${errors}`);
    await sleep(10);
  }
  return {
    name: 'nginx',
    pid: child.pid ?? null,
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A server in this process that streams files between disk and socket. */
async function startBareNode(root: string): Promise<Reference> {
  const server = createServer((request, response) => {
    const path = join(root, decodeURIComponent(request.url ?? '/'));
    const work =
      request.method === 'PUT'
        ? pipeline(request, createWriteStream(path)).then(() => response.end())
        : stat(path).then(({ size }) => {
            response.setHeader('Content-Length', size);
            return pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), response);
          });
    work.catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    name: 'bare Node stream',
    pid: null,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts the reference on `root`. */
export const startReference = (root: string): Promise<Reference> =>
  nginxPath ? startNginx(nginxPath, root) : startBareNode(root);
