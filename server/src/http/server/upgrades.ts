import { type IncomingMessage, type Server, createServer } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import { decodeStrictly } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import { framingFault } from '../request/request-framing.ts';
import { rawPathOf, withSeparators, withoutBase } from '../request/target.ts';

/** Maximum size of a client's message, in bytes. */
const maxMessageBytes = 8 * 1024;

/** Whether the client violated the protocol or its connection failed, so that no administrator has to act. */
const isClientsFault = (error: Error): boolean =>
  'code' in error && /^(?:WS_ERR_|ECONNRESET$|EPIPE$)/.test(String(error.code));

/** Returns the head of the request as received, without its upgrade headers. */
function headWithoutUpgrade(request: IncomingMessage): string {
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    let value = request.rawHeaders[index + 1] ?? '';
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    if (/^connection$/i.test(name)) {
      value = value
        .split(',')
        .filter((token) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(token))
        .join(',');
      if (value.trim() === '') continue;
    }
    lines.push(`${name}: ${value}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Serves a request as if it had not requested another protocol, as HTTP allows (RFC 9110 §7.8). As soon as
 * there is an `upgrade` listener, Node detaches the connection of every such request, including its body,
 * from HTTP.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), rest]));
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}

/**
 * Whether a request is a handshake for one of our WebSockets. A path that cannot be decoded is refused like
 * in any other request.
 */
function isHandshake(request: IncomingMessage, prefixes: readonly string[], baseUrl: string): boolean {
  const path = rawPathOf(withSeparators(withoutBase(request.url ?? '/', baseUrl)));
  const isOurs = prefixes.some((prefix) => path.startsWith(prefix) || `${path}/` === prefix);
  if (!isOurs || request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
    return false;
  // A handshake requires HTTP/1.1 (RFC 6455 §4.1); ambiguous framing is refused like in any other request.
  if (request.httpVersion !== '1.1' || framingFault(request) !== null) return false;
  try {
    decodeStrictly(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Enables WebSocket routes of `app` below `prefixes` (raw paths). Must be called before these routes are
 * added. Any other upgrade request is served as plain HTTP.
 */
export async function acceptSockets(
  app: FastifyInstance,
  { prefixes, baseUrl }: { prefixes: readonly string[]; baseUrl: string },
): Promise<void> {
  // Never listens; it only receives the handshakes passed to it.
  const handshakes = createServer();
  await app.register(websocket, {
    options: { server: handshakes, maxPayload: maxMessageBytes, perMessageDeflate: false },
    errorHandler(error, socket, request) {
      if (isClientsFault(error)) request.log.info({ fault: error.message }, 'a socket was closed');
      else request.log.error({ err: error }, 'unexpected error on a socket');
      socket.terminate();
    },
    preClose(done) {
      for (const client of app.websocketServer.clients) client.terminate();
      app.websocketServer.close(() => done());
    },
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
    if (isHandshake(request, prefixes, baseUrl)) {
      handshakes.emit('upgrade', request, socket, rest);
    } else {
      serveWithoutUpgrade(app.server, request, socket, rest);
    }
  });
}
