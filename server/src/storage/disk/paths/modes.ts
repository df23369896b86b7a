import type { BigIntStats } from 'node:fs';
import { changeMode, syscalls } from './syscalls.ts';
import { at, type Folder } from './folder.ts';
import { perform, type Steps } from './steps.ts';

/** The permission bits of new entries. */
export interface NewModes {
  /** For files; null for 0666 reduced by the umask of the process and the folder's access list. */
  readonly file: number | null;
  /** For folders; null for 0777 reduced the same way. An inherited setgid bit is always kept. */
  readonly folder: number | null;
  /** The bits that a copy does not inherit from its original. */
  readonly copyMask: number;
}

/** The default modes. Copies are not world-writable unless the administrator has configured other modes. */
export const defaultModes: NewModes = { file: null, folder: null, copyMask: 0o002 };

/** The modes that `open` and `mkdir` request; the system subtracts the umask. A file is never executable. */
export const openMode = ({ file }: NewModes): number => file ?? 0o666;
export const mkdirMode = ({ folder }: NewModes): number => folder ?? 0o777;

/** Sets the configured mode of a new file, if there is one: umask and inherited access lists do not apply to it. */
export function* setFileMode(descriptor: number, { file }: NewModes): Steps<void> {
  if (file !== null) yield* perform(changeMode(descriptor, file));
}

const setgid = 0o2000n;

/** Sets the permission bits of the open folder and keeps its inherited setgid bit. */
export async function setFolderBits(folder: Folder, bits: number): Promise<void> {
  const inherited = (await syscalls.lstat(at(folder, '.'))).mode & setgid;
  // Through the open descriptor: the name may be a link by now.
  await syscalls.chmod(at(folder, '.'), bits | Number(inherited));
}

/** Sets the configured mode of a new folder, if there is one. */
export async function setFolderMode(folder: Folder, { folder: bits }: NewModes): Promise<void> {
  if (bits !== null) await setFolderBits(folder, bits);
}

/** The bits of a copied file or folder; a set-user-id bit of a file is never copied. */
export function copiedBits(
  { mode }: BigIntStats,
  { file, folder, copyMask }: NewModes,
  { isFolder, isMove }: { readonly isFolder: boolean; readonly isMove: boolean },
): number {
  const bits = Number(mode);
  if (isMove) return bits & (isFolder ? 0o2777 : 0o777);
  return (isFolder ? folder : file) ?? bits & 0o777 & ~copyMask;
}
