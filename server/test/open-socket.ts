import { WebSocket } from 'ws';
import type { TestApp } from './start-app.ts';

/** The output of a command socket until it was closed. */
export interface SocketOutput {
  readonly lines: string[];
  readonly closeCode: number;
}

export interface OpenSocket {
  /** Sent as `X-Auth`. */
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** Opens a WebSocket; rejects with the status when the handshake is refused. */
export function openSocket(
  app: TestApp,
  path: string,
  { token, headers }: OpenSocket = {},
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${app.url.replace(/^http/, 'ws')}${path}`, {
      headers: { ...(token === undefined ? {} : { 'x-auth': token }), ...headers },
    });
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      reject(new Error(String(response.statusCode)));
    });
    socket.once('error', reject);
  });
}

/** Sends `messages` and collects the responses until the server closes the connection. */
export async function talk(
  app: TestApp,
  path: string,
  messages: readonly (string | Uint8Array)[],
  options: OpenSocket = {},
): Promise<SocketOutput> {
  const socket = await openSocket(app, path, options);
  const lines: string[] = [];
  socket.on('message', (data: Buffer) => lines.push(data.toString('utf8')));
  for (const message of messages) socket.send(message);
  const closeCode = await new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  return { lines, closeCode };
}
