import path from 'node:path';
import { syscalls } from './paths/syscalls.ts';
import { translateErrors } from './paths/errors.ts';
import { readExclusion } from './paths/exclusions.ts';
import { bestConfinement, closeFolder, type Confinement, openFollowing } from './paths/folder.ts';
import type { ScopeRoot } from './paths/locate.ts';
import type { NewModes } from './paths/modes.ts';
import { runAsync } from './paths/steps.ts';

/** The folder of a disk that is served, and its options. */
export interface ServedScopeRoot {
  /** The disk path of the folder. It may contain links. */
  readonly root: string;
  /** Absolute disk paths that are never served, for instance the data folder. They need not exist yet. */
  readonly excluded?: readonly string[];
  /** Whether links may lead out of the folder; chosen by the administrator. */
  readonly followExternalLinks?: boolean;
  /** The permission bits of new entries. */
  readonly modes?: NewModes | undefined;
  /** Defaults to the best one of this system. */
  readonly confinement?: Confinement;
}

const namesOf = (disk: string): string[] => disk.split(/[/\\]/).filter((name) => name !== '');

/** Opens the root of a scope; the caller closes it. Throws `not_found` or `not_a_folder` when there is none. */
export async function openScopeRoot(served: ServedScopeRoot): Promise<ScopeRoot> {
  const confinement = served.confinement ?? bestConfinement();
  const absolute = path.resolve(served.root);
  const root = await translateErrors(openFollowing(confinement, absolute).async());
  try {
    const real = await syscalls.realpath(absolute);
    const exclusions = await Promise.all(
      (served.excluded ?? []).map((disk) => runAsync(readExclusion(disk))),
    );
    return {
      confinement,
      root,
      rootPaths: [namesOf(real), namesOf(absolute)],
      exclusions,
      followExternal: served.followExternalLinks === true,
      modes: served.modes,
    };
  } catch (error) {
    closeFolder(root);
    throw error;
  }
}
