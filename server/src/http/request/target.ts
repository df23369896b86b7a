import {
  type RequestedPath,
  InvalidPathError,
  decodeStrictly,
  parsePath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';

/** Returns the path of a raw request target, not decoded. */
export function rawPathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Removes scheme and host from an absolute request target (RFC 9112 §3.2.2). */
export const withoutOrigin = (target: string): string => {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]+/i.exec(target);
  if (rest === null) return target;
  const path = target.slice(rest[0].length);
  return path.startsWith('/') ? path : `/${path}`;
};

/** Removes `baseUrl` (`''` or `/prefix`) from the start of a raw target if it matches whole segments. */
export function withoutBase(target: string, baseUrl: string): string {
  if (baseUrl === '' || !target.startsWith(baseUrl)) return target;
  const rest = target.slice(baseUrl.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : target;
}

/**
 * Replaces `%2F` by `/` in the path of an API target. Some clients also escape the separator after an
 * endpoint (`/api/resources%2Fa.txt`), and these requests have to find the route too.
 */
export function withSeparators(target: string): string {
  const path = rawPathOf(target);
  if (!/^\/api(?:\/|%2f)/i.test(path)) return target;
  return path.replaceAll(/%2f/gi, '/') + target.slice(path.length);
}

/** Returns the literal start of an endpoint's path, up to its first parameter or wildcard. */
export function literalPrefix(template: string): string {
  const variable = template.search(/[{*]/);
  return variable < 0 ? template : template.slice(0, variable);
}

/** Parameters and virtual path of a raw path that matches an endpoint's template. */
export interface TargetMatch {
  readonly params: Record<string, string>;
  readonly requested: RequestedPath;
}

/**
 * Extracts parameters and the virtual path from a raw path, decoding it once and strictly; `%2F` is a
 * separator. Throws `not_found` if the path does not match the template, `invalid_path` if it cannot be
 * decoded.
 */
export function matchTarget(template: string, rawPath: string): TargetMatch {
  const prefix = literalPrefix(template);
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  const isBare = template === `${prefix}*` && `${rawPath}/` === prefix;
  if (!isBare && !rawPath.startsWith(prefix)) throw new AppError('not_found');
  try {
    let rest = isBare ? '' : decodeStrictly(rawPath.slice(prefix.length));
    let isFirst = true;
    let last = '';
    for (const part of template.slice(prefix.length).split('/')) {
      if (part === '') continue;
      if (part === '*') return { params, requested: parsePath(rest) };
      if (!isFirst && !rest.startsWith('/')) throw new AppError('not_found');
      if (!isFirst) rest = rest.slice(1);
      isFirst = false;
      const slash = rest.indexOf('/');
      const end = slash < 0 ? rest.length : slash;
      last = rest.slice(0, end);
      if (part.startsWith('{')) params[part.slice(1, -1)] = last;
      else if (part !== last) throw new AppError('not_found');
      rest = rest.slice(end);
    }
    // One trailing slash after the last parameter is ignored (docs/reference/filebrowser-api.md §1.11).
    if (rest !== '' && (rest !== '/' || last === '')) throw new AppError('not_found');
    return { params, requested: parsePath('/') };
  } catch (error) {
    if (error instanceof InvalidPathError) {
      throw new AppError('invalid_path', `the path cannot be used: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/**
 * Parses the query parameters of a raw target, decoding strictly; `+` is a space. The first value of a
 * repeated parameter is used. Throws `bad_request` for malformed escapes.
 */
export function parseQuery(target: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  const start = target.indexOf('?');
  if (start < 0) return query;
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    try {
      const name = decodeQueryText(equals < 0 ? pair : pair.slice(0, equals));
      query[name] ??= equals < 0 ? '' : decodeQueryText(pair.slice(equals + 1));
    } catch (error) {
      throw new AppError('bad_request', 'the query contains a malformed escape', { cause: error });
    }
  }
  return query;
}

const decodeQueryText = (text: string): string => decodeStrictly(text.replaceAll('+', ' '));
