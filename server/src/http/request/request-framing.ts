import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { apiHeaders } from '../response/answer.ts';

/** A host with an optional port, as far as it matters here: one value, without anything of an address around it. */
const plainHost = /^[^\s,/@?#\\]*$/;

/**
 * Why a request cannot be trusted to mean the same to us and to a proxy in front of us; null when it can. Duplicate or
 * contradicting lengths and folded header lines are refused by the HTTP parser already.
 */
export function framingFault(request: IncomingMessage): string | null {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  // RFC 9112 §3.2
  if (hosts > 1) return 'more than one Host header';
  if (hosts === 0 && request.httpVersion === '1.1') return 'no Host header';
  if (!plainHost.test(request.headers.host ?? '')) return 'the Host header is not a host';
  // RFC 9112 §6.1
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined) {
    return 'HTTP/1.0 has no Transfer-Encoding';
  }
  return null;
}

/** Answers 400 and closes the connection: its next bytes might be anything. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: string): void {
  response.shouldKeepAlive = false;
  response.writeHead(400, {
    ...apiHeaders,
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
  });
  response.end(`400 Bad Request (${fault})\n`, () => request.socket.destroySoon());
}

/** Hands on requests whose framing is clear and refuses the others before anything of them is looked at. */
export const refuseFaultyFraming =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const fault = framingFault(request);
    if (fault === null) listener(request, response);
    else refuse(request, response, fault);
  };
