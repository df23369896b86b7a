import type { Config } from '../config/config.ts';
import { defaultModes, type NewModes } from '../storage/disk/paths/modes.ts';

/** Returns the configured permission bits of users' new files and folders. */
export const newModesOf = ({ umask, fileMode, folderMode }: Config): NewModes => ({
  file: fileMode,
  folder: folderMode,
  copyMask: umask ?? defaultModes.copyMask,
});
