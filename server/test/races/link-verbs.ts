import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@filestead/contract/jobs';
import type { RaceResponse, RaceRequest } from './race-client.ts';

/** The path and the client of one attempt on a swapped path. */
export interface Attempt {
  /** The path in the user's scope: `''` for the scope itself, otherwise with a leading slash. */
  readonly base: string;
  /** A different number each time, for unique names. */
  readonly n: number;
  /** Sends a request as the user. */
  send(method: string, target: string, sent?: RaceRequest): Promise<RaceResponse>;
  /** Sends a request without a session. */
  visit(method: string, target: string, sent?: RaceRequest): Promise<RaceResponse>;
  /** Runs a command in the folder and returns its output. */
  command(folder: string, line: string): Promise<string>;
}

/** Sends the requests of an attempt. The first of the responses shows whether it succeeded. */
export type Verb = (attempt: Attempt) => Promise<readonly RaceResponse[]>;

const one =
  (send: (attempt: Attempt) => Promise<RaceResponse>): Verb =>
  async (attempt) => [await send(attempt)];
const get = (target: (attempt: Attempt) => string, headers: Record<string, string> = {}): Verb =>
  one((attempt) => attempt.send('GET', target(attempt), { headers }));
const patch = (
  action: 'copy' | 'rename',
  from: (attempt: Attempt) => string,
  to: (attempt: Attempt) => string,
): Verb =>
  one((attempt) => {
    const destination = encodeURIComponent(to(attempt));
    return attempt.send(
      'PATCH',
      `/api/resources${from(attempt)}?action=${action}&destination=${destination}&override=true`,
    );
  });

const job =
  (
    kind: 'copy' | 'move' | 'delete' | 'checksum',
    item: (attempt: Attempt) => { from: string; to?: string },
  ): Verb =>
  async (attempt) => {
    const begun = await attempt.send('POST', '/api/jobs', { json: { kind, items: [item(attempt)] } });
    if (begun.status !== 202) return [begun];
    const { id } = JSON.parse(begun.body.toString()) as Job;
    for (;;) {
      const polled = await attempt.send('GET', `/api/jobs/${id}`);
      if (polled.status !== 200) return [polled];
      const { state } = JSON.parse(polled.body.toString()) as Job;
      if (state === 'queued' || state === 'running') await sleep(5);
      else
        return [
          { ...polled, status: state === 'done' ? 200 : 409 },
          await attempt.send('DELETE', `/api/jobs/${id}`),
        ];
    }
  };

const tus =
  (path: (attempt: Attempt) => string): Verb =>
  async (attempt) => {
    const headers = { 'tus-resumable': '1.0.0' };
    const begun = await attempt.send('POST', `/api/tus${path(attempt)}?override=true`, {
      headers: { ...headers, 'upload-length': '6' },
    });
    if (begun.status !== 201) return [begun];
    const target = new URL(begun.location, 'http://localhost');
    const part = { ...headers, 'content-type': 'application/offset+octet-stream' };
    const first = await attempt.send('PATCH', target.pathname + target.search, {
      headers: { ...part, 'upload-offset': '0' },
      body: 'new',
    });
    const second = await attempt.send('PATCH', target.pathname + target.search, {
      headers: { ...part, 'upload-offset': '3' },
      body: 'new',
    });
    if (second.status !== 204) await attempt.send('DELETE', target.pathname + target.search, { headers });
    return [second, first];
  };

const share =
  (path: (attempt: Attempt) => string, below: string): Verb =>
  async (attempt) => {
    const made = await attempt.send('POST', `/api/share${path(attempt)}`, { json: {} });
    if (made.status !== 200) return [made];
    const { hash } = JSON.parse(made.body.toString()) as { hash: string };
    const answers = [
      await attempt.visit('GET', `/api/public/share/${hash}`),
      await attempt.visit('GET', `/api/public/share/${hash}${below}`),
      await attempt.visit('GET', `/api/public/dl/${hash}${below}`),
      await attempt.visit('GET', `/api/public/dl/${hash}?algo=tar`),
    ];
    await attempt.send('DELETE', `/api/share/${hash}`);
    return [...answers, made];
  };

const archiveByTicket: Verb = async (attempt) => {
  const planned = await attempt.send('POST', '/api/archives', {
    json: { paths: [`${attempt.base}/r.txt`, `${attempt.base}/sub`], format: 'tar' },
  });
  if (planned.status !== 200) return [planned];
  const { ticket } = JSON.parse(planned.body.toString()) as { ticket: string };
  return [await attempt.send('GET', `/api/archives/${ticket}`), planned];
};

const command: Verb = async (attempt) => {
  const body = Buffer.from(await attempt.command(`${attempt.base}/sub`, 'cat x.txt ../r.txt deep/y.txt'));
  const status = body.includes('inside') ? 200 : 404;
  return [{ status, headers: '', location: '', body, isBroken: false }];
};

/** The attempts on a folder of {@link treeFiles}. Copies and moved entries go to `/kept`. */
export const folderVerbs: Readonly<Record<string, Verb>> = {
  list: get(({ base }) => `/api/resources${base}/`),
  'list as rows': get(({ base }) => `/api/resources${base}/sub`, { accept: 'application/x-ndjson' }),
  'list below': get(({ base }) => `/api/recursive${base}/`),
  'metadata of a file': get(({ base }) => `/api/resources${base}/r.txt`),
  text: get(({ base }) => `/api/resources${base}/r.txt`, { 'x-encoding': 'true' }),
  checksum: get(({ base }) => `/api/resources${base}/r.txt?checksum=sha256`),
  raw: get(({ base }) => `/api/raw${base}/r.txt`),
  'raw range': get(({ base }) => `/api/raw${base}/sub/x.txt`, { range: 'bytes=0-40' }),
  'raw HEAD': one(({ send, base }) => send('HEAD', `/api/raw${base}/r.txt`)),
  'archive of a folder': get(({ base }) => `/api/raw${base}/?algo=tar`),
  'archive of a selection': get(
    ({ base }) =>
      `/api/raw/?files=${encodeURIComponent(`${base.slice(1)}/r.txt,${base.slice(1)}/sub`)}&algo=targz`,
  ),
  'archive by ticket': archiveByTicket,
  preview: get(({ base }) => `/api/preview/thumb${base}/pic.png`),
  'big preview': get(({ base }) => `/api/preview/big${base}/pic.png`),
  subtitles: get(({ base }) => `/api/subtitle${base}/film.vtt`),
  search: get(({ base }) => `/api/search${base}/?query=txt`, { accept: 'application/x-ndjson' }),
  usage: get(({ base }) => `/api/usage${base}/`),
  upload: one(({ send, base, n }) => send('POST', `/api/resources${base}/new-${n}.txt`, { body: 'new' })),
  'upload into a new folder': one(({ send, base, n }) =>
    send('POST', `/api/resources${base}/made-${n}/new.txt`, { body: 'new' }),
  ),
  replace: one(({ send, base }) =>
    send('POST', `/api/resources${base}/r.txt?override=true`, { body: 'new' }),
  ),
  save: one(({ send, base }) => send('PUT', `/api/resources${base}/r.txt`, { body: 'new' })),
  'upload in parts': tus(({ base, n }) => `${base}/part-${n}.txt`),
  'replace in parts': tus(({ base }) => `${base}/r.txt`),
  'new folder': one(({ send, base, n }) => send('POST', `/api/resources${base}/folder-${n}/`)),
  'rename within': patch(
    'rename',
    ({ base }) => `${base}/r.txt`,
    ({ base, n }) => `${base}/renamed-${n}.txt`,
  ),
  'move away': patch(
    'rename',
    ({ base }) => `${base}/victim.txt`,
    ({ n }) => `/kept/moved-${n}.txt`,
  ),
  'move a tree away': patch(
    'rename',
    ({ base }) => `${base}/sub`,
    ({ n }) => `/kept/moved-${n}`,
  ),
  'move here': patch(
    'rename',
    ({ n }) => `/own/give-${n % 500}.txt`,
    ({ base, n }) => `${base}/given-${n}.txt`,
  ),
  'copy away': patch(
    'copy',
    ({ base }) => `${base}/r.txt`,
    ({ n }) => `/kept/copied-${n}.txt`,
  ),
  'copy a tree away': patch(
    'copy',
    ({ base }) => `${base}/sub`,
    ({ n }) => `/kept/copied-${n}`,
  ),
  'copy here': patch(
    'copy',
    () => '/own/file.txt',
    ({ base, n }) => `${base}/copied-${n}.txt`,
  ),
  'copy a tree here': patch(
    'copy',
    () => '/own/tree',
    ({ base, n }) => `${base}/tree-${n}`,
  ),
  'copy over': patch(
    'copy',
    () => '/own/file.txt',
    ({ base }) => `${base}/victim.txt`,
  ),
  delete: one(({ send, base }) => send('DELETE', `/api/resources${base}/victim.txt`)),
  'delete a tree': one(({ send, base }) => send('DELETE', `/api/resources${base}/sub`)),
  'job: copy': job('copy', ({ base, n }) => ({ from: `${base}/sub`, to: `/kept/job-${n}` })),
  'job: move': job('move', ({ base, n }) => ({ from: `${base}/r.txt`, to: `${base}/job-${n}.txt` })),
  'job: delete': job('delete', ({ base }) => ({ from: `${base}/sub` })),
  'job: checksums': job('checksum', ({ base }) => ({ from: `${base}/sub` })),
  'share of a folder': share(({ base }) => `${base}/sub`, '/x.txt'),
  'share of a file': share(({ base }) => `${base}/r.txt`, ''),
  command: command,
};

/** The attempts on the swapped name itself. */
export const nameVerbs: Readonly<Record<string, Verb>> = {
  'itself: metadata': get(({ base }) => `/api/resources${base}`),
  'itself: checksum': get(({ base }) => `/api/resources${base}?checksum=md5`),
  'itself: raw': get(({ base }) => `/api/raw${base}?inline=true`),
  'itself: raw range': get(({ base }) => `/api/raw${base}`, { range: 'bytes=0-40' }),
  'itself: save': one(({ send, base }) => send('PUT', `/api/resources${base}`, { body: 'new' })),
  'itself: replace': one(({ send, base }) =>
    send('POST', `/api/resources${base}?override=true`, { body: 'new' }),
  ),
  'itself: replace in parts': tus(({ base }) => base),
  'itself: copy away': patch(
    'copy',
    ({ base }) => base,
    ({ n }) => `/kept/itself-${n}`,
  ),
  'itself: move away': patch(
    'rename',
    ({ base }) => base,
    ({ n }) => `/kept/itself-moved-${n}`,
  ),
  'itself: copy over': patch(
    'copy',
    () => '/own/file.txt',
    ({ base }) => base,
  ),
  'itself: delete': one(({ send, base }) => send('DELETE', `/api/resources${base}`)),
  'itself: link': share(({ base }) => base, ''),
};
