import type { IncomingHttpHeaders } from 'node:http';
import { namesTag } from '../files/entity-tag.ts';

/** What identifies the version of a file that is there. */
export interface Version {
  /** A strong entity tag, quotes included. */
  readonly tag: string;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

const wholeSeconds = (timeMs: number): number => Math.floor(timeMs / 1000);

/** Unix seconds of an HTTP date; null when it is none. */
function parseHttpDate(text: string): number | null {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : wholeSeconds(timeMs);
}

/** How a conditional GET or HEAD is answered; the order of the checks is that of RFC 9110 §13.2.2. */
export function checkPreconditions(
  headers: IncomingHttpHeaders,
  { tag, modifiedMs }: Version,
): 'proceed' | 'not_modified' | 'failed' {
  const modified = wholeSeconds(modifiedMs);
  if (headers['if-match'] !== undefined) {
    if (!namesTag(headers['if-match'], tag, 'strong')) return 'failed';
  } else if (headers['if-unmodified-since'] !== undefined) {
    const since = parseHttpDate(headers['if-unmodified-since']);
    if (since !== null && modified > since) return 'failed';
  }
  if (headers['if-none-match'] !== undefined) {
    return namesTag(headers['if-none-match'], tag, 'weak') ? 'not_modified' : 'proceed';
  }
  if (headers['if-modified-since'] !== undefined) {
    const since = parseHttpDate(headers['if-modified-since']);
    if (since !== null && modified <= since) return 'not_modified';
  }
  return 'proceed';
}

/** Whether a `Range` header counts: there is no `If-Range`, or it names the version that is there (RFC 9110 §13.1.5). */
export function rangeHolds(headers: IncomingHttpHeaders, { tag, modifiedMs }: Version): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (/^\s*(?:W\/)?"/.test(condition)) return namesTag(condition, tag, 'strong');
  return parseHttpDate(condition) === wholeSeconds(modifiedMs);
}
