import { Agent, request } from 'node:http';

/** A raw response; `isBroken` if the connection ended before it was complete. */
export interface RaceResponse {
  readonly status: number;
  readonly headers: string;
  readonly location: string;
  readonly body: Buffer;
  readonly isBroken: boolean;
}

export interface RaceRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Sends requests on kept-alive connections, with unchanged targets. Never rejects. */
export interface RaceClient {
  send(token: string, method: string, target: string, sent?: RaceRequest): Promise<RaceResponse>;
  close(): void;
}

/** The time limit of a request in milliseconds. */
const timeoutMs = 20_000;

/** A client of the server at `url`. */
export function openRaceClient(url: string): RaceClient {
  const { hostname: host, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (token, method, path, { headers = {}, body, json } = {}) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = [];
        let status = 0;
        let lines = '';
        let location = '';
        const finish = (isBroken: boolean): void =>
          resolve({ status, headers: lines, location, body: Buffer.concat(chunks), isBroken });
        const payload = json === undefined ? body : JSON.stringify(json);
        const sending = request({
          agent,
          host,
          port,
          method,
          path,
          timeout: timeoutMs,
          headers: {
            ...(token === '' ? {} : { 'x-auth': token }),
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
            ...headers,
          },
        });
        sending.on('response', (response) => {
          status = response.statusCode ?? 0;
          lines = response.rawHeaders.join('\n');
          location = response.headers.location ?? '';
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => finish(!response.complete));
          response.on('error', () => finish(true));
        });
        sending.on('timeout', () => sending.destroy(new Error('the server does not respond')));
        sending.on('error', () => finish(true));
        sending.end(payload);
      }),
    close: () => agent.destroy(),
  };
}
