import { type RequestListener, type Server, createServer as createHttpServer } from 'node:http';
import { Server as HttpsServer, createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { connections } from '../../scheduling/connection-burst.ts';
import { apiHeaders } from '../response/answer.ts';
import { scheduleFairly } from './fair-requests.ts';
import { refuseFaultyFraming } from '../request/request-framing.ts';
import { deferContinue } from '../request/unread-body.ts';

/** Certificate and key in PEM form. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Older versions are broken (RFC 8996). */
const minTlsVersion = 'TLSv1.2';

/** Headers must have arrived after so long. */
const headersTimeoutMs = 30_000;
/** A connection without a request is kept for so long; longer than the usual 60 s of a proxy before us. */
const keepAliveTimeoutMs = 72_000;
/** Room for a token with a long list of commands beside the usual headers, in bytes. */
const maxHeaderBytes = 32 * 1024;

/** The headers of every answer of the API, as lines. */
const plainHeaders = Object.entries(apiHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** What the HTTP parser could not read is answered shortly and closed. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\n${plainHeaders}` +
      `Connection: close\r\nContent-Length: ${line.length + 1}\r\n\r\n${line}\n`,
  );
}

/** Sets `Strict-Transport-Security` on every answer; null on none. */
const withHsts =
  (listener: RequestListener, value: string | null): RequestListener =>
  (request, response) => {
    if (value !== null) response.setHeader('strict-transport-security', value);
    listener(request, response);
  };

/**
 * The HTTP or HTTPS server. `hstsMs` counts with TLS only: a plain answer never asks for HTTPS. A request as a whole has no time limit, for an upload may take hours; its parts have.
 * Clients that ask first (`Expect: 100-continue`) are told to go on when their body is read.
 */
export function createServer(listener: RequestListener, tls: Tls | null, hstsMs: number): Server {
  const options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    noDelay: true,
    keepAlive: true,
    // Answered by us, with the headers of every other answer.
    requireHostHeader: false,
  };
  const hsts = tls === null ? null : `max-age=${Math.floor(hstsMs / 1000)}`;
  const fair = scheduleFairly(refuseFaultyFraming(withHsts(listener, hsts)), connections);
  const server =
    tls === null
      ? createHttpServer(options, fair)
      : createHttpsServer({ ...options, ...tls, minVersion: minTlsVersion }, fair);
  server.timeout = 0;
  server.on('connection', () => connections.arrived());
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response);
    server.emit('request', request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return server;
}

/** Gives a server with TLS another certificate and key for new connections; those that are open keep theirs. */
export function replaceTls(server: Server, tls: Tls): void {
  if (server instanceof HttpsServer) server.setSecureContext({ ...tls, minVersion: minTlsVersion });
}
