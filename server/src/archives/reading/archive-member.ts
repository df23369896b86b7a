import type { ErrorCode } from '@filestead/contract/errors';
import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import {
  InvalidPathError,
  parsePath,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import iconv from 'iconv-lite';

/** The kinds of members. A `link` is a symbolic link, a `copy` a hard link to an earlier member of a tar. */
export type MemberKind = 'file' | 'folder' | 'link' | 'copy' | 'special';

/** A member of an archive as the archive describes it. */
export interface ArchiveMember {
  /** The path in the archive; null when the name cannot be a path in a folder, such as one with `..`. */
  readonly path: VirtualPath | null;
  /** The name for messages. */
  readonly name: string;
  readonly kind: MemberKind;
  /** Bytes of the content. */
  readonly size: number;
  /** Unix milliseconds; null when the archive does not contain it. */
  readonly modifiedMs: number | null;
  /** Identifies the member: the offset of its header. A larger one comes later. */
  readonly offset: number;
  /** The member to which a `copy` refers. */
  readonly target?: VirtualPath | null;
  /** The reason why its content cannot be read; absent if it can. */
  readonly refusal?: ErrorCode;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes the name of a member: UTF-8 if it is valid, otherwise the code page of MS-DOS for zip, and raw bytes for tar. */
export function decodeName(bytes: Uint8Array, format: 'zip' | 'tar'): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return format === 'zip' ? iconv.decode(Buffer.from(bytes), 'cp437') : nameOfBytes(bytes);
  }
}

/**
 * Returns the path of a member within the archive, seen from its root: a leading `/` and segments `.` are dropped. Null
 * for a name with `..`, NUL or a segment that is too long, so that no member leaves the folder into which it is
 * extracted.
 */
export function memberPath(name: string): VirtualPath | null {
  try {
    const { path } = parsePath(name);
    return path;
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
}

/** Whether a member is the root of the archive, which many tars contain as `./`. */
export const isRoot = ({ path }: ArchiveMember): boolean => path === rootPath;
