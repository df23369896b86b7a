import { gunzipSync } from 'node:zlib';
import { hasTool, unpack } from '../fixtures/archive-reading.ts';
import { isTemporaryName } from '../../src/storage/disk/paths/temporary-names.ts';
import type { RawResponse } from './raw-client.ts';

/** A secret text in a file, and the users who may read it. */
export interface Canary {
  readonly value: string;
  /** Relative to the test's folder: `root/users/alice/a.txt`, `out/canary-out.txt`. */
  readonly path: string;
  readonly readers: Set<string>;
}

/** A response and its recipient. */
export interface ReceivedResponse {
  readonly who: string;
  /** Method and target. */
  readonly request: string;
  readonly response: RawResponse;
}

const canUnzip = hasTool('unzip');

/** The bytes of a response and, of an archive, its names and members. */
function everythingIn({ raw, body }: RawResponse): Buffer {
  if (canUnzip && body.toString('latin1', 0, 4) === 'PK\u0003\u0004') {
    const members = [...unpack(body, 'zip')].map(([name, { content }]) => `${name}\n${content ?? ''}`);
    return Buffer.concat([raw, Buffer.from(members.join('\n'), 'latin1')]);
  }
  if (body[0] === 0x1f && body[1] === 0x8b) return Buffer.concat([raw, gunzipSync(body)]);
  return raw;
}

/** Patterns of internals that no response may contain. */
const internals =
  /\bat [^\n]*\.[cm]?[jt]s:\d+|node:internal|\bE(?:NOENT|ACCES|PERM|LOOP|INVAL|NOTDIR|ISDIR|EXIST|XDEV|MFILE|NOSPC|BUSY|ROFS)\b|SQLITE|\bselect .* from\b|fastify|\/proc\/self/i;

const userBytes =
  /^(?:GET|HEAD) \/api\/(?:raw|preview|subtitle|archives|public\/(?:dl|preview)|trash\/(?:raw|preview))\//;

/** Returns the missing headers of a response, by its kind. */
function missingHeaders({ request, response }: ReceivedResponse): string[] {
  const { status, headers } = response;
  const policy = headers['content-security-policy'] ?? '';
  const missing: string[] = [];
  const demand = (isMet: boolean, what: string): void => {
    if (!isMet) missing.push(what);
  };
  demand(headers['x-powered-by'] === undefined && headers.server === undefined, 'a name of the server');
  demand(!Object.keys(headers).some((name) => name.startsWith('access-control-')), 'CORS');
  // Responses without a body: not modified, switching protocols, no content.
  if (status < 200 || status === 204 || status === 304) return missing;
  demand(headers['x-content-type-options'] === 'nosniff', 'nosniff');
  demand(headers['referrer-policy'] === 'no-referrer', 'referrer policy');
  if (status < 300 && userBytes.test(request)) {
    demand(/^private\b/.test(headers['cache-control'] ?? ''), 'private');
    demand(headers['cross-origin-resource-policy'] === 'same-origin', 'resource policy');
    const isPdf = headers['content-type'] === 'application/pdf';
    demand(policy.startsWith(isPdf ? "default-src 'none'" : "sandbox; default-src 'none'"), 'a sandbox');
  } else if (headers['content-type']?.startsWith('text/html') === true) {
    demand(/frame-ancestors 'none'/.test(policy), 'a policy of the page');
  } else if (request.includes(' /api/') || status >= 400) {
    demand(/^no-store(?:, no-transform)?$/.test(headers['cache-control'] ?? ''), 'no-store');
    demand(policy === "default-src 'none'; frame-ancestors 'none'", 'a policy');
  }
  return missing;
}

/** Returns the errors of one response. */
function faultsOf(
  received: ReceivedResponse,
  canaries: readonly Canary[],
  secrets: ReadonlySet<string>,
  folder: string,
): string[] {
  const { who, request, response } = received;
  const faults: string[] = [];
  const everything = everythingIn(response);
  for (const { value, path, readers } of canaries) {
    if (!readers.has(who) && everything.includes(value))
      faults.push(`discloses to ${who || 'a visitor'} ${path}`);
  }
  for (const secret of secrets) {
    if (everything.includes(secret)) faults.push(`discloses the secret ${secret.slice(0, 12)}…`);
  }
  if (everything.includes(folder)) faults.push('discloses a path of the disk');
  if (response.status === 500) faults.push('is 500');
  if (response.status >= 400 && internals.test(response.text))
    faults.push(`discloses internals: ${response.text}`);
  if (response.status > 0) faults.push(...missingHeaders(received).map((what) => `header: ${what}`));
  for (const word of everything.toString('latin1').matchAll(/\.filestead-[0-9a-f]{32}\.part/g)) {
    if (isTemporaryName(word[0])) faults.push('discloses a temporary name');
  }
  // A path of the request is repeated in some responses.
  if (everything.includes('.filestead-trash') && !/filestead-trash/i.test(request)) {
    faults.push('discloses the folder of deleted entries');
  }
  return faults.map((fault) => `${request.slice(0, 200)} [${who}] ${response.status}: ${fault}`);
}

/** Returns the errors of the log: each line has to be one record without secrets. */
function faultsOfLog(
  log: readonly string[],
  canaries: readonly Canary[],
  secrets: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  for (const line of log) {
    const record = line.replace(/\n$/, '');
    if (/[\p{Cc}\u2028\u2029]/u.test(record) || !record.startsWith('{')) faults.push(`log: ${record}`);
    if (record.length > 16_384) faults.push(`log: a line of ${record.length} characters`);
    if (/"level":(?:50|60|"error"|"fatal")/.test(record)) faults.push(`log: ${record}`);
    for (const { value, path } of canaries) if (record.includes(value)) faults.push(`log discloses ${path}`);
    for (const secret of secrets)
      if (record.includes(secret)) faults.push(`log discloses ${secret.slice(0, 12)}…`);
  }
  return faults;
}

/** Searches all responses and the log for forbidden content. Empty if there is none. */
export function examine(parts: {
  responses: readonly ReceivedResponse[];
  canaries: readonly Canary[];
  secrets: ReadonlySet<string>;
  folder: string;
  log: readonly string[];
}): string[] {
  const { responses, canaries, secrets, folder, log } = parts;
  return [
    ...responses.flatMap((response) => faultsOf(response, canaries, secrets, folder)),
    ...faultsOfLog(log, canaries, secrets),
  ];
}
