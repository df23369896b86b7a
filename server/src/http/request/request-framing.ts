import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { apiHeaders } from '../response/send-response.ts';

/** A host with an optional port: a single value without other parts of a URL. */
const plainHost = /^[^\s,/@?#\\]*$/;

/**
 * Returns the reason for which a proxy in front of the server could interpret the request differently; null if there
 * is none. Duplicate or contradictory lengths and folded header lines are already rejected by the HTTP parser.
 */
export function framingFault(request: IncomingMessage): string | null {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  // RFC 9112 §3.2
  if (hosts > 1) return 'more than one Host header';
  if (hosts === 0 && request.httpVersion === '1.1') return 'no Host header';
  if (!plainHost.test(request.headers.host ?? '')) return 'the Host header is invalid';
  // RFC 9112 §6.1
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined) {
    return 'HTTP/1.0 has no Transfer-Encoding';
  }
  return null;
}

/** Responds with 400 and closes the connection, because the boundaries of the next request are unknown. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: string): void {
  response.shouldKeepAlive = false;
  response.writeHead(400, {
    ...apiHeaders,
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
  });
  response.end(`400 Bad Request (${fault})\n`, () => request.socket.destroySoon());
}

/** Passes on requests with unambiguous framing and refuses others before they are processed. */
export const refuseFaultyFraming =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const fault = framingFault(request);
    if (fault === null) listener(request, response);
    else refuse(request, response, fault);
  };
