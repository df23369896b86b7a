import { Agent, request } from 'node:http';

/** A response whose body was read and discarded. */
export interface Outcome {
  status: number;
  bytes: number;
  /** From the start of the request to the first byte of the body, in milliseconds. */
  firstByteMs: number;
}

/** Sends one GET and counts the streamed response. Throws for a status other than 2xx. */
export function exchange(url: string, headers: Record<string, string>, agent: Agent): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(url, { headers, agent }, (response) => {
      let bytes = 0;
      let firstByteMs = -1;
      response.on('data', (part: Buffer) => {
        if (firstByteMs < 0) firstByteMs = performance.now() - started;
        bytes += part.length;
      });
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 299) reject(new Error(`GET ${url}: ${status}`));
        else resolve({ status, bytes, firstByteMs });
      });
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Keep-alive connections, as browsers use them. */
export const keepAlive = (connections: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: connections });
