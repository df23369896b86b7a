import type { Config } from '../config/config.ts';
import { defaultModes, type NewModes } from '../storage/disk/paths/modes.ts';

/** The permission bits of new files and folders of users, as the administrator has chosen them. */
export const newModesOf = ({ umask, fileMode, folderMode }: Config): NewModes => ({
  file: fileMode,
  folder: folderMode,
  copyMask: umask ?? defaultModes.copyMask,
});
