import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { median, percentile } from '../measure.ts';

/** A request that a closed loop repeats. */
export interface LoopRequest {
  readonly method?: string;
  /** A path that begins with `/`, or a function of the number of the request for paths that differ. */
  readonly path: string | ((number: number) => string);
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The measured rounds of a closed loop. */
export interface LoopResult {
  readonly requests: number;
  readonly seconds: number;
  /** Processor time of the server, all threads, in microseconds per request. Linux only; NaN elsewhere. */
  readonly cpuMicros: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Processor time (user and system, all threads) of a process in microseconds; NaN where /proc is missing. */
export async function cpuMicrosOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Fields 14 and 15 of proc(5), in ticks of 1/100 s; the name before them may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

function headOf({ method = 'GET', headers = {}, body }: LoopRequest, path: string, host: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Reads responses from one connection. `feed` returns true when the current response is complete. */
class ResponseReader {
  #remaining = -1;
  #isChunked = false;
  #head: Buffer = Buffer.alloc(0);

  feed(part: Buffer): boolean {
    if (this.#remaining < 0) {
      const all = this.#head.length === 0 ? part : Buffer.concat([this.#head, part]);
      const end = all.indexOf(headEnd);
      if (end < 0) {
        this.#head = all;
        return false;
      }
      this.#head = Buffer.alloc(0);
      const text = all.toString('latin1', 0, end);
      const status = Number(text.slice(9, 12));
      if (status < 200 || status > 299) throw new Error(text.slice(0, 400));
      this.#isChunked = /\r\ntransfer-encoding: chunked/i.test(text);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const rest = all.subarray(end + headEnd.length);
      this.#remaining = this.#isChunked ? 1 : length - rest.length;
      if (this.#isChunked) return this.#endOfChunks(rest);
    } else if (this.#isChunked) return this.#endOfChunks(part);
    else this.#remaining -= part.length;
    if (this.#remaining > 0) return false;
    this.#remaining = -1;
    return true;
  }

  #endOfChunks(part: Buffer): boolean {
    if (!part.subarray(-lastChunk.length).equals(lastChunk)) return false;
    this.#remaining = -1;
    return true;
  }
}

/**
 * Sends requests over `connections` keep-alive connections for `seconds`; each sends its next request after the response. The
 * client does as little as Node allows, so that the server is measured. Throws for a status other than 2xx.
 */
export async function closedLoop(
  server: { readonly url: string; readonly pid: number },
  request: LoopRequest,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoopResult> {
  const { hostname, port, host } = new URL(server.url);
  const { path, body } = request;
  const fixed = typeof path === 'string' ? Buffer.from(headOf(request, path, host)) : null;
  const latencies: number[] = [];
  let sent = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const cpuBefore = await cpuMicrosOf(server.pid);
  const runConnection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const reader = new ResponseReader();
      let sentAt = 0;
      const send = (socket: Socket): void => {
        const number = sent++;
        const head = fixed ?? Buffer.from(headOf(request, (path as (n: number) => string)(number), host));
        sentAt = performance.now();
        socket.write(body === undefined ? head : Buffer.concat([head, body]));
      };
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => send(socket));
      socket.on('data', (part: Buffer) => {
        try {
          if (!reader.feed(part)) return;
        } catch (error) {
          socket.destroy();
          reject(error as Error);
          return;
        }
        const now = performance.now();
        latencies.push(now - sentAt);
        if (now < end) send(socket);
        else {
          socket.destroy();
          resolve();
        }
      });
      socket.on('error', reject);
    });
  await Promise.all(Array.from({ length: connections }, runConnection));
  const elapsed = (performance.now() - started) / 1000;
  const cpu = (await cpuMicrosOf(server.pid)) - cpuBefore;
  return {
    requests: latencies.length,
    seconds: elapsed,
    cpuMicros: cpu / latencies.length,
    p50: median(latencies),
    p99: percentile(latencies, 0.99),
  };
}
