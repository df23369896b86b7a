import { type RequestListener, type Server, createServer as createHttpServer } from 'node:http';
import { Server as HttpsServer, createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { connections } from '../../scheduling/connection-burst.ts';
import { apiHeaders } from '../response/send-response.ts';
import { scheduleFairly } from './fair-requests.ts';
import { refuseFaultyFraming } from '../request/request-framing.ts';
import { deferContinue } from '../request/unread-body.ts';

/** Certificate and key in PEM format. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Older versions are insecure (RFC 8996). */
const minTlsVersion = 'TLSv1.2';

/** Time limit for the headers of a request, in milliseconds. */
const headersTimeoutMs = 30_000;
/**
 * Time in milliseconds for which an idle connection is kept, longer than the usual 60 s of a proxy in front.
 */
const keepAliveTimeoutMs = 72_000;
/** Maximum size of the headers in bytes, enough for a token with a long list of commands. */
const maxHeaderBytes = 32 * 1024;

/** Headers of every API response, as lines. */
const plainHeaders = Object.entries(apiHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Sends the error response to a request that the HTTP parser rejected, and closes the connection. */
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

/** Sets `Strict-Transport-Security` on every response unless `value` is null. */
const withHsts =
  (listener: RequestListener, value: string | null): RequestListener =>
  (request, response) => {
    if (value !== null) response.setHeader('strict-transport-security', value);
    listener(request, response);
  };

/**
 * Creates the HTTP or HTTPS server. `hstsMs` is used with TLS only. There is no time limit for a whole
 * request, because an upload may take hours; its phases have limits. Clients that send `Expect: 100-continue`
 * receive `100 Continue` when their body is read.
 */
export function createServer(listener: RequestListener, tls: Tls | null, hstsMs: number): Server {
  const options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    noDelay: true,
    keepAlive: true,
    // Refused by our own code, with the usual headers.
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

/** Replaces certificate and key of a server with TLS for new connections; open ones are not affected. */
export function replaceTls(server: Server, tls: Tls): void {
  if (server instanceof HttpsServer) server.setSecureContext({ ...tls, minVersion: minTlsVersion });
}
