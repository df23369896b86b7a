import { connect } from 'node:net';

/** A raw HTTP response. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name; repeated ones are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** Every byte, from the status line on. */
  readonly raw: Buffer;
}

/** A request whose target is sent unchanged. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Header lines in their order; a name may come twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** Decodes the chunked coding of HTTP/1.1 (RFC 9112 §7.1). A truncated body stays truncated. */
function dechunk(coded: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < coded.length;) {
    const end = coded.indexOf('\r\n', at);
    if (end < 0) break;
    const size = Number.parseInt(coded.toString('latin1', at, end), 16);
    if (!(size > 0)) break;
    pieces.push(coded.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}

/** Parses one response from the bytes of a connection. A connection that closes without one has the status 0. */
export function parseResponse(raw: Buffer): RawResponse {
  const end = raw.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = raw.toString('latin1', 0, Math.max(0, end)).split('\r\n');
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const rest = end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4);
  const body = /chunked/i.test(headers['transfer-encoding'] ?? '') ? dechunk(rest) : rest;
  return { status: Number(statusLine.slice(9, 12)), headers, body, text: body.toString('utf8'), raw };
}

/** Options of {@link exchange}. */
export interface ExchangeOptions {
  readonly timeoutMs?: number;
  /** Runs after the first bytes of the response, and before any others are read. */
  readonly whilePaused?: () => Promise<void>;
}

/** Sends bytes on a separate connection and returns everything received until it is closed or idle. */
export function exchange(
  port: number,
  bytes: string | Uint8Array,
  { timeoutMs = 10_000, whilePaused }: ExchangeOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    socket.setTimeout(timeoutMs, finish);
    socket.on('data', (chunk) => chunks.push(chunk));
    if (whilePaused !== undefined)
      socket.once('data', () => {
        socket.pause();
        whilePaused().then(() => socket.resume(), reject);
      });
    socket.on('end', finish);
    socket.on('close', finish);
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
  });
}

/** The bytes of a request. Nothing in its target or its headers is escaped or made valid. */
export function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(given.has('host') ? [] : ['Host: filestead.test']),
    ...(given.has('connection') ? [] : ['Connection: close']),
    ...(given.has('content-length') || given.has('transfer-encoding') || body === undefined
      ? []
      : [`Content-Length: ${payload.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), payload]);
}
