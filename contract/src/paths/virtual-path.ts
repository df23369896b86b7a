import { byteLengthOf, isNameSpelling } from './raw-names.ts';

/**
 * The one path type. A request target is parsed here once; rules, permissions and the disk all see this canonical form.
 *
 * Canonical: absolute, `/` between segments, no empty, `.` or `..` segment, no NUL, no trailing slash except for the
 * root `/` itself; bytes that are not UTF-8 are escaped in one way only (`raw-names.ts`).
 */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' };

/** The top of a user's scope. */
export const rootPath = '/' as VirtualPath;

/** Longest path that is accepted, in bytes on the disk (PATH_MAX on Linux is 4096). */
export const maxPathBytes = 4096;
/** Longest single name that is accepted, in bytes on the disk (NAME_MAX on the usual file systems). */
export const maxNameBytes = 255;
/** Most segments a path may have; deeper requests are refused rather than half-done. */
export const maxPathDepth = 256;

/** Thrown by the parsers of this file; carries no part of the input. */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError';
}

/** A path as a client wrote it, with the one fact that the canonical form loses. */
export interface RequestedPath {
  readonly path: VirtualPath;
  /** The client wrote a trailing slash: it means a folder. The root counts as one. */
  readonly isFolderPath: boolean;
}

/** Decodes percent escapes strictly, once. Throws {@link InvalidPathError} for malformed escapes and invalid UTF-8. */
export function decodeStrictly(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    throw new InvalidPathError('malformed escape', { cause: error });
  }
}

/**
 * Canonicalises a path that has been decoded already. Empty and `.` segments are dropped.
 * Throws {@link InvalidPathError} for `..`, NUL, lone surrogates, a second spelling of a name that is not UTF-8 (see
 * `raw-names.ts`) and anything over the limits.
 */
export function parsePath(decoded: string): RequestedPath {
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

/** {@link parsePath} of a percent-encoded path; `%2F` is a separator. */
export function parseEncodedPath(encoded: string): RequestedPath {
  return parsePath(decodeStrictly(encoded));
}

/** A path known to be good, for constants and tests. Throws {@link InvalidPathError} otherwise. */
export const virtualPath = (text: string): VirtualPath => parsePath(text).path;

/** The names on the way from the root to `path`; empty for the root. */
export const segmentsOf = (path: VirtualPath): string[] => (path === '/' ? [] : path.slice(1).split('/'));

/** The last name of `path`; empty for the root. */
export const nameOf = (path: VirtualPath): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder that holds `path`; the root holds itself. */
export function parentOf(path: VirtualPath): VirtualPath {
  const end = path.lastIndexOf('/');
  return (end <= 0 ? '/' : path.slice(0, end)) as VirtualPath;
}

/** The entry `name` in `folder`. Throws {@link InvalidPathError} when `name` is not one single name. */
export function childOf(folder: VirtualPath, name: string): VirtualPath {
  if (name.includes('/')) throw new InvalidPathError('separator in name');
  const { path } = parsePath(folder === '/' ? `/${name}` : `${folder}/${name}`);
  if (parentOf(path) !== folder || path === folder) throw new InvalidPathError('not a name');
  return path;
}

/** Whether `path` is `folder` itself or lies below it; compares whole segments. */
export const isAtOrBelow = (path: VirtualPath, folder: VirtualPath): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** `path` as it looks from inside `folder`. Throws {@link InvalidPathError} when it lies elsewhere. */
export function relativeTo(path: VirtualPath, folder: VirtualPath): VirtualPath {
  if (!isAtOrBelow(path, folder)) throw new InvalidPathError('outside');
  if (folder === '/') return path;
  return (path.slice(folder.length) || '/') as VirtualPath;
}

/** `path` of a folder's inside as it looks from outside; the inverse of {@link relativeTo}. */
export const joinPaths = (folder: VirtualPath, path: VirtualPath): VirtualPath =>
  folder === '/' ? path : path === '/' ? folder : (`${folder}${path}` as VirtualPath);

/** `path` percent-encoded segment by segment, for a URL. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** C0 controls and DEL, as a Unicode property. */
const controlCharacter = /\p{Cc}/u;

/**
 * Blanks and characters without a shape of their own: white space, joiners, fillers, variation selectors, and the empty
 * Braille pattern.
 */
const invisible = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nothing of `name` can be seen on a screen. */
export const isInvisible = (name: string): boolean => invisible.test(name);

/**
 * Whether a file may be created under `name`: one segment, not over the limits, no control characters, and something that
 * can be seen.
 */
export function isValidNewName(name: string): boolean {
  try {
    childOf(rootPath, name);
    return !controlCharacter.test(name) && !isInvisible(name);
  } catch {
    return false;
  }
}

/** The extension with its dot, case kept; a dotfile `.env` has the extension `.env`; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** `a.tar.gz` and 1 give `a.tar(1).gz`: the suffix goes before the last extension (contract of the existing API, PATCH). */
export function withNumberSuffix(name: string, number: number): string {
  const extension = extensionOf(name);
  return `${name.slice(0, name.length - extension.length)}(${number})${extension}`;
}
