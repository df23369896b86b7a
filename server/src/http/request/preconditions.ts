import type { IncomingHttpHeaders } from 'node:http';
import { namesTag } from '../files/entity-tag.ts';

/** Identifies the current version of a file. */
export interface Version {
  /** A strong entity tag, quotes included. */
  readonly tag: string;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

const wholeSeconds = (timeMs: number): number => Math.floor(timeMs / 1000);

/** Parses an HTTP date to Unix seconds; null if it is invalid. */
function parseHttpDate(text: string): number | null {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : wholeSeconds(timeMs);
}

/** Evaluates the conditions of a GET or HEAD request in the order of RFC 9110 §13.2.2. */
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

/**
 * Whether a `Range` header applies: there is no `If-Range`, or it matches the current version (RFC 9110
 * §13.1.5).
 */
export function rangeApplies(headers: IncomingHttpHeaders, { tag, modifiedMs }: Version): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (/^\s*(?:W\/)?"/.test(condition)) return namesTag(condition, tag, 'strong');
  return parseHttpDate(condition) === wholeSeconds(modifiedMs);
}
