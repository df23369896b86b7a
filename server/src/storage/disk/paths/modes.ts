import type { BigIntStats } from 'node:fs';
import { syscalls } from './syscalls.ts';
import { at, type Folder } from './folder.ts';

/** The permission bits of what is made. */
export interface NewModes {
  /** Of files; null for what the umask of the process and the folder's access list leave of 0666. */
  readonly file: number | null;
  /** Of folders; null for what they leave of 0777. A setgid bit that a folder inherits stays in any case. */
  readonly folder: number | null;
  /** The bits that a copy does not take over from its original. */
  readonly copyMask: number;
}

/** Copies lose the right of everybody to write unless the administrator has chosen something else. */
export const defaultModes: NewModes = { file: null, folder: null, copyMask: 0o002 };

/** The modes that `open` and `mkdir` request; the system subtracts the umask. A file is never executable. */
export const openMode = ({ file }: NewModes): number => file ?? 0o666;
export const mkdirMode = ({ folder }: NewModes): number => folder ?? 0o777;

/** Gives a new file its mode where one was chosen: neither umask nor inherited access lists count then. */
export async function setFileMode(descriptor: number, { file }: NewModes): Promise<void> {
  if (file !== null) await syscalls.fchmod(descriptor, file);
}

const setgid = 0o2000n;

/** Sets the bits of the open folder. Its own setgid bit, which it has inherited, stays. */
export async function setFolderBits(folder: Folder, bits: number): Promise<void> {
  const inherited = (await syscalls.lstat(at(folder, '.'))).mode & setgid;
  // Through the held descriptor: the name may be a link by now.
  await syscalls.chmod(at(folder, '.'), bits | Number(inherited));
}

/** Gives a new folder its mode where one was chosen. */
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
