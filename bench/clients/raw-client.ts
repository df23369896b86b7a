import { connect } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/**
 * Sends one request over its own socket with a fixed receive buffer, with as little work in the client as Node allows,
 * so that the server is measured. `body` is sent repeatedly until `bodyBytes` have been sent. Throws for a status other
 * than 2xx.
 */
export function rawExchange(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    bodyBytes = 0,
  }: { method?: string; headers?: Record<string, string>; body?: Uint8Array; bodyBytes?: number },
): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    let remaining = -1;
    let isChunked = false;
    let last = Buffer.alloc(0);
    const receive = (part: Buffer): void => {
      if (remaining < 0) {
        head = Buffer.concat([head, part]);
        const end = head.indexOf(headEnd);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        const status = Number(text.slice(9, 12));
        if (status === 100) {
          head = head.subarray(end + headEnd.length);
          receive(Buffer.alloc(0));
          return;
        }
        if (status < 200 || status > 299) {
          socket.destroy();
          reject(new Error(`${method} ${url}: ${status}`));
          return;
        }
        const rest = head.subarray(end + headEnd.length);
        isChunked = /\r\ntransfer-encoding: chunked/i.test(text);
        // A chunked body ends with its last chunk, which is empty.
        const length = isChunked
          ? Number.POSITIVE_INFINITY
          : Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
        remaining = length - rest.length;
        last = rest.subarray(-lastChunk.length);
      } else {
        remaining -= part.length;
        if (isChunked)
          last = Buffer.concat([last, part.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
      }
      if (isChunked && last.equals(lastChunk)) remaining = 0;
      if (remaining <= 0) socket.destroy();
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: Buffer.alloc(1024 * 1024),
        callback: (length, buffer) => {
          receive(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    socket.on('error', reject);
    socket.on('close', () =>
      remaining <= 0 && remaining !== -1
        ? resolve()
        : reject(new Error('the connection closed before the end of the response')),
    );
    const lines = [
      `${method} ${pathname}${search} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Connection: close',
    ];
    if (body) lines.push(`Content-Length: ${bodyBytes}`);
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (!body) return;
    let left = bodyBytes;
    const send = (): void => {
      while (left > 0) {
        const part = left < body.length ? body.subarray(0, left) : body;
        left -= part.length;
        if (!socket.write(part)) {
          socket.once('drain', send);
          return;
        }
      }
    };
    send();
  });
}
