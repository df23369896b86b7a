import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, vi } from 'vitest';
import { storeToken } from '../token-store.ts';

/** The token at the start of each test. */
const firstToken = 'old.token.a';

/**
 * Sends the requests of the page to a server of its own during each test of the calling file. `respond` is called with
 * the whole body.
 */
export function serveRequests(
  respond: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): void {
  const server = createServer((request, response) => {
    // The test page has an origin of its own.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', '*, PATCH, DELETE');
    response.setHeader(
      'Access-Control-Allow-Headers',
      '*, X-Auth, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset',
    );
    response.setHeader(
      'Access-Control-Expose-Headers',
      '*, ETag, Location, Retry-After, Upload-Offset, X-Renew-Token',
    );
    if (request.method === 'OPTIONS') {
      response.end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => respond(request, response, Buffer.concat(chunks)));
  });

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const { open } = XMLHttpRequest.prototype;
    vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(function (
      this: XMLHttpRequest,
      method: string,
      url: string | URL,
    ) {
      open.call(this, method, `${origin}${String(url)}`, true);
    });
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => fetch(`${origin}${url}`, init));
    storeToken(firstToken);
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    localStorage.clear();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}
