import { byteLengthOf, isNameSpelling } from './raw-names.ts';

/**
 * A validated path. Each request target is parsed into one once; rules, permissions and the disk all use this canonical
 * form: absolute, `/` between segments, no empty, `.` or `..` segment, no NUL, no trailing slash except for the root
 * `/` itself; bytes that are not UTF-8 are escaped in one way only (`raw-names.ts`).
 */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' };

/** The root of a user's scope. */
export const rootPath = '/' as VirtualPath;

/** Maximum length of a path, in bytes on the disk (PATH_MAX on Linux is 4096). */
export const maxPathBytes = 4096;
/** Maximum length of a single name, in bytes on the disk (NAME_MAX on the usual file systems). */
export const maxNameBytes = 255;
/** Maximum number of segments of a path; requests with deeper paths are refused. */
export const maxPathDepth = 256;

/**
 * Maximum length of a path as sent, in UTF-16 code units, with segments that its canonical form drops. No more fits into
 * a request target; a body could contain millions of segments.
 */
const maxSentLength = 64 * 1024;

/** Thrown by the parsers of this file; contains no part of the input. */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError';
}

/** A path as sent by a client, with the one property that the canonical form does not keep. */
export interface RequestedPath {
  readonly path: VirtualPath;
  /** The client wrote a trailing slash, which means a folder. True for the root. */
  readonly isFolderPath: boolean;
}

/** Decodes percent-encoding strictly, once. Throws {@link InvalidPathError} for malformed escapes and invalid UTF-8. */
export function decodeStrictly(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    throw new InvalidPathError('malformed escape', { cause: error });
  }
}

/**
 * Canonicalizes a decoded path. Drops empty and `.` segments. Throws {@link InvalidPathError} for `..`, NUL, lone
 * surrogates, a non-canonical spelling of a name that is not UTF-8 (see `raw-names.ts`) and anything above the limits.
 */
export function parsePath(decoded: string): RequestedPath {
  if (decoded.length > maxSentLength) throw new InvalidPathError('path too long');
  if (decoded.includes('\0')) throw new InvalidPathError('NUL in path');
  if (!decoded.isWellFormed()) throw new InvalidPathError('not Unicode');
  if (!isNameSpelling(decoded)) throw new InvalidPathError('second spelling of a name');
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') throw new InvalidPathError('parent segment');
    if (segment.length * 3 > maxNameBytes && byteLengthOf(segment) > maxNameBytes) {
      throw new InvalidPathError('name too long');
    }
    segments.push(segment);
  }
  if (segments.length > maxPathDepth) throw new InvalidPathError('path too deep');
  const path = `/${segments.join('/')}`;
  if (path.length * 3 > maxPathBytes && byteLengthOf(path) > maxPathBytes) {
    throw new InvalidPathError('path too long');
  }
  return { path: path as VirtualPath, isFolderPath: segments.length === 0 || /\/\.?$/.test(decoded) };
}

/** Decodes a percent-encoded path and parses it with {@link parsePath}; `%2F` is a separator. */
export function parseEncodedPath(encoded: string): RequestedPath {
  return parsePath(decodeStrictly(encoded));
}

/** Parses a path that is known to be valid, for constants and tests. Throws {@link InvalidPathError} otherwise. */
export const virtualPath = (text: string): VirtualPath => parsePath(text).path;

/** Returns the names from the root to `path`; empty for the root. */
export const segmentsOf = (path: VirtualPath): string[] => (path === '/' ? [] : path.slice(1).split('/'));

/** Returns the last name of `path`; empty for the root. */
export const nameOf = (path: VirtualPath): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the folder that contains `path`; for the root the root itself. */
export function parentOf(path: VirtualPath): VirtualPath {
  const end = path.lastIndexOf('/');
  return (end <= 0 ? '/' : path.slice(0, end)) as VirtualPath;
}

/** Returns the path of the entry `name` in `folder`. Throws {@link InvalidPathError} if `name` is not a single name. */
export function childOf(folder: VirtualPath, name: string): VirtualPath {
  if (name.includes('/')) throw new InvalidPathError('separator in name');
  const { path } = parsePath(folder === '/' ? `/${name}` : `${folder}/${name}`);
  if (parentOf(path) !== folder || path === folder) throw new InvalidPathError('not a name');
  return path;
}

/** Whether `path` is `folder` itself or below it; compares whole segments. */
export const isAtOrBelow = (path: VirtualPath, folder: VirtualPath): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Returns `path` relative to `folder`. Throws {@link InvalidPathError} if it is not at or below it. */
export function relativeTo(path: VirtualPath, folder: VirtualPath): VirtualPath {
  if (!isAtOrBelow(path, folder)) throw new InvalidPathError('outside');
  if (folder === '/') return path;
  return (path.slice(folder.length) || '/') as VirtualPath;
}

/** Appends `path`, which is relative to `folder`; the inverse of {@link relativeTo}. */
export const joinPaths = (folder: VirtualPath, path: VirtualPath): VirtualPath =>
  folder === '/' ? path : path === '/' ? folder : (`${folder}${path}` as VirtualPath);

/** Percent-encodes `path` segment by segment, for a URL. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** C0 and C1 control characters and DEL, as a Unicode property. */
const controlCharacter = /\p{Cc}/u;

/**
 * Whitespace and characters without a visible shape: joiners, fillers, variation selectors, and the empty Braille
 * pattern.
 */
const invisible = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether `name` has no visible character. */
export const isInvisible = (name: string): boolean => invisible.test(name);

/**
 * Whether a file may be created under `name`: one segment within the limits, without control characters, and with at
 * least one visible character.
 */
export function isValidNewName(name: string): boolean {
  try {
    childOf(rootPath, name);
    return !controlCharacter.test(name) && !isInvisible(name);
  } catch {
    return false;
  }
}

/**
 * Returns the extension including the dot, in its original case; the dotfile `.env` has the extension `.env`; empty if
 * there is none.
 */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/**
 * Inserts a number before the last extension: `a.tar.gz` and 1 give `a.tar(1).gz` (as File Browser does for PATCH).
 */
export function withNumberSuffix(name: string, number: number): string {
  const extension = extensionOf(name);
  return `${name.slice(0, name.length - extension.length)}(${number})${extension}`;
}
