import {
  type RequestedPath,
  InvalidPathError,
  decodeStrictly,
  parsePath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';

/** The part of a raw request target before the query, undecoded. */
export function rawPathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** A request target without the server that it names, if it names one (RFC 9112 §3.2.2). */
export const withoutServer = (target: string): string => {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]+/i.exec(target);
  if (rest === null) return target;
  const path = target.slice(rest[0].length);
  return path.startsWith('/') ? path : `/${path}`;
};

/** Removes `baseUrl` (`''` or `/prefix`) from the front of a raw target when it is there as whole segments. */
export function withoutBase(target: string, baseUrl: string): string {
  if (baseUrl === '' || !target.startsWith(baseUrl)) return target;
  const rest = target.slice(baseUrl.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : target;
}

/**
 * A target of the API with `/` in the place of every `%2F` of its path: some clients escape the separator behind an endpoint
 * as well (`/api/resources%2Fa.txt`), and its route is to be found there too.
 */
export function withSeparators(target: string): string {
  const path = rawPathOf(target);
  if (!/^\/api(?:\/|%2f)/i.test(path)) return target;
  return path.replaceAll(/%2f/gi, '/') + target.slice(path.length);
}

/** The literal front of an endpoint's path, up to its first parameter or its wildcard. */
export function literalPrefix(template: string): string {
  const variable = template.search(/[{*]/);
  return variable < 0 ? template : template.slice(0, variable);
}

/** What a raw path says for an endpoint's template. */
export interface TargetMatch {
  readonly params: Record<string, string>;
  readonly requested: RequestedPath;
}

/**
 * Reads parameters and the virtual path out of a raw path, decoding it once and strictly; `%2F` is a separator.
 * Throws `not_found` when the path is not the template's, `invalid_path` when it cannot be read.
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
      params[part.slice(1, -1)] = last;
      rest = rest.slice(end);
    }
    // One slash behind a closing parameter does not count (docs/reference/filebrowser-api.md §1.11).
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
 * The query parameters of a raw target, decoded strictly; `+` is a space. Of a repeated parameter the first value counts.
 * Throws `bad_request` for malformed escapes.
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
      throw new AppError('bad_request', 'the query holds a malformed escape', { cause: error });
    }
  }
  return query;
}

const decodeQueryText = (text: string): string => decodeStrictly(text.replaceAll('+', ' '));
