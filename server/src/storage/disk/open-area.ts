import path from 'node:path';
import { syscalls } from './paths/syscalls.ts';
import { translated } from './paths/errors.ts';
import { readExclusion } from './paths/exclusions.ts';
import { bestConfinement, closeFolder, type Confinement, openFollowing } from './paths/folder.ts';
import type { ScopeRoot } from './paths/locate.ts';
import type { NewModes } from './paths/modes.ts';
import { runAsync } from './paths/steps.ts';

/** The part of a disk that is served. */
export interface ServedScopeRoot {
  /** The folder on the disk that is served; may be reached through links. */
  readonly root: string;
  /** Absolute disk paths that are never served, for instance the data folder. They need not exist yet. */
  readonly excluded?: readonly string[];
  /** The administrator's choice: links may lead anywhere. */
  readonly followExternalLinks?: boolean;
  /** The permission bits of what is made there. */
  readonly modes?: NewModes | undefined;
  /** How folders are held; the best way of this system when left out. */
  readonly confinement?: Confinement;
}

const namesOf = (disk: string): string[] => disk.split(/[/\\]/).filter((name) => name !== '');

/** Opens the root of an area; the caller closes it. Throws `not_found` or `not_a_folder` when there is none. */
export async function openScopeRoot(served: ServedScopeRoot): Promise<ScopeRoot> {
  const confinement = served.confinement ?? bestConfinement();
  const given = path.resolve(served.root);
  const root = await translated(openFollowing(confinement, given).async());
  try {
    const real = await syscalls.realpath(given);
    const exclusions = await Promise.all(
      (served.excluded ?? []).map((disk) => runAsync(readExclusion(disk))),
    );
    return {
      confinement,
      root,
      rootPaths: [namesOf(real), namesOf(given)],
      exclusions,
      followExternal: served.followExternalLinks === true,
      modes: served.modes,
    };
  } catch (error) {
    closeFolder(root);
    throw error;
  }
}
