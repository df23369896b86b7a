import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../start-app.ts';

/** An upload whose body is sent in pieces, so that other requests can run in between. */
export interface SlowUpload {
  readonly method?: 'POST' | 'PUT';
  readonly token: string;
  readonly target: string;
  readonly pieces: readonly Uint8Array[];
  /** Between the pieces, in milliseconds. */
  readonly pauseMs?: number;
}

/** Sends an upload piece by piece; resolves to the status, 0 when the connection ended without one. */
export function uploadSlowly(app: TestApp, upload: SlowUpload): Promise<number> {
  const { method = 'POST', token, target, pieces, pauseMs = 1 } = upload;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new Promise((resolve) => {
    const sending = request(`${app.url}${target}`, {
      method,
      headers: { 'x-auth': token, 'content-length': length },
      agent: false,
    });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on('error', () => resolve(0));
    const send = async (): Promise<void> => {
      for (const piece of pieces) {
        sending.write(piece);
        await sleep(pauseMs);
      }
      sending.end();
    };
    send().catch(() => resolve(0));
  });
}

/** The content of a file in pieces, all of one letter, so that a mix is detected. */
export const piecesOf = (letter: string, count = 8, bytes = 20_000): Uint8Array[] =>
  Array.from({ length: count }, () => Buffer.alloc(bytes, letter));

/** Runs all functions concurrently, each after a delay of up to `spreadMs` milliseconds. */
export const together = <T>(works: readonly (() => Promise<T>)[], spreadMs = 0): Promise<T[]> =>
  Promise.all(
    works.map(async (work) => {
      if (spreadMs > 0) await sleep(Math.random() * spreadMs);
      return work();
    }),
  );

/** Sends a file in two parts as tus clients do; resolves to the status of the last one. */
export async function uploadInParts(
  app: TestApp,
  { token, path, content, override }: { token: string; path: string; content: string; override: boolean },
): Promise<number> {
  const headers = { 'tus-resumable': '1.0.0' };
  const begun = await app.fetch(`/api/tus${path}?override=${override}`, {
    method: 'POST',
    token,
    headers: { ...headers, 'upload-length': String(content.length) },
  });
  if (begun.status !== 201) return begun.status;
  const { pathname, search } = new URL(begun.headers.get('location') ?? '', app.url);
  const half = Math.floor(content.length / 2);
  let status = 0;
  for (const [offset, body] of [
    [0, content.slice(0, half)],
    [half, content.slice(half)],
  ] as const) {
    const sent = await app.fetch(`${pathname}${search}`, {
      method: 'PATCH',
      token,
      headers: {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body,
    });
    status = sent.status;
    if (status !== 204) break;
  }
  return status === 204 ? 200 : status;
}
