import type { WriteOptions } from '../../storage.ts';
import type { Folder } from '../paths/folder.ts';
import type { NewModes } from '../paths/modes.ts';
import type { JournalEntry } from '../writes/temporary-journal.ts';

/** A small file to be written under a temporary name. Its bytes are the body of the job. */
export interface StoreRequest {
  readonly mode: WriteOptions['mode'];
  /** Whether the target did not exist when it was checked. Otherwise the job is unsuitable. */
  readonly isNew: boolean;
  /** Whether the file gets its name as soon as it is flushed. If that fails, it is only stored. */
  readonly isNamedAtOnce: boolean;
  readonly temporary: string;
  readonly modes: NewModes;
  readonly journal: JournalEntry | null;
}

/** A folder as JSON. */
export interface SharedFolder {
  readonly base: string;
  readonly descriptor: number;
  readonly device: string;
  readonly inode: string;
}

/** The temporary file to be renamed to a new name in the same folder. */
export interface PublishRequest {
  readonly folder: SharedFolder;
  readonly temporary: string;
  readonly name: string;
}

/** Converts an open folder for another thread of this process. */
export const shareFolder = ({ base, descriptor, device, inode }: Folder): SharedFolder => ({
  base,
  descriptor,
  device: String(device),
  inode: String(inode),
});

/** Converts a folder that another thread of this process has opened. */
export const folderOfShared = ({ base, descriptor, device, inode }: SharedFolder): Folder => ({
  base,
  descriptor,
  device: BigInt(device),
  inode: BigInt(inode),
});
