import type { IncomingHttpHeaders } from 'node:http';
import { matchesTag } from '../files/entity-tag.ts';

/** Identifies the current state of a file (RFC 9110 §8.8). */
export interface Validators {
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
  { tag, modifiedMs }: Validators,
): 'proceed' | 'not_modified' | 'failed' {
  const modified = wholeSeconds(modifiedMs);
  if (headers['if-match'] !== undefined) {
    if (!matchesTag(headers['if-match'], tag, 'strong')) return 'failed';
  } else if (headers['if-unmodified-since'] !== undefined) {
    const since = parseHttpDate(headers['if-unmodified-since']);
    if (since !== null && modified > since) return 'failed';
  }
  if (headers['if-none-match'] !== undefined) {
    return matchesTag(headers['if-none-match'], tag, 'weak') ? 'not_modified' : 'proceed';
  }
  if (headers['if-modified-since'] !== undefined) {
    const since = parseHttpDate(headers['if-modified-since']);
    if (since !== null && modified <= since) return 'not_modified';
  }
  return 'proceed';
}

/**
 * Whether a `Range` header applies: there is no `If-Range`, or it matches the current state (RFC 9110
 * §13.1.5).
 */
export function rangeApplies(headers: IncomingHttpHeaders, { tag, modifiedMs }: Validators): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (/^\s*(?:W\/)?"/.test(condition)) return matchesTag(condition, tag, 'strong');
  return parseHttpDate(condition) === wholeSeconds(modifiedMs);
}
