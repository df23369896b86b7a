import { type Version, type VersionChange, versionActs } from '@filestead/contract/endpoints/versions';
import { nameOf } from '@filestead/contract/paths/virtual-path';
import type { StoredVersion, WrittenBy } from '../database/version-repository.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { ListedVersion, VersionView, VisibleVersion } from './version-view.ts';

/** The parts of the server that {@link presentVersion} uses. */
export interface PresentVersion extends EntryViews {
  /** Returns the name of a user; null if there is none. */
  readonly usernameOf: (id: number) => Promise<string | null>;
}

const isVersionAct = (act: string): act is VersionChange['act'] =>
  (versionActs as readonly string[]).includes(act);

/** Returns a change as the API sends it. */
export async function presentChange(
  { userId, act, time }: WrittenBy,
  { usernameOf }: Pick<PresentVersion, 'usernameOf'>,
): Promise<VersionChange> {
  return {
    act: isVersionAct(act) ? act : 'upload',
    by: userId === null ? null : await usernameOf(userId),
    at: new Date(time).toISOString(),
  };
}

const modifiedMs = ({ modifiedNs }: StoredVersion): number => Number(BigInt(modifiedNs) / 1_000_000n);

/** Returns the time at which a version was written (Unix milliseconds). */
export const writtenAt = (version: StoredVersion): number => version.written?.time ?? modifiedMs(version);

/** Returns a version as the API sends it. */
export async function presentVersion(
  view: VersionView,
  visible: VisibleVersion & Partial<ListedVersion>,
  parts: PresentVersion,
): Promise<Version> {
  const { version, path, isChangedOutside = false } = visible;
  const { id, kind, originalPath, userId, act, keptAt: time, label, keepsForever, written } = version;
  const name = nameOf(originalPath);
  const size = version.size ?? 0;
  return {
    id,
    name,
    path,
    size,
    type: parts.typeOf(kind, name, size),
    modified: parts.formatModified(modifiedMs(version)),
    written: written === null ? null : await presentChange(written, parts),
    replaced: await presentChange({ userId, act, time }, parts),
    label,
    keepForever: keepsForever,
    isUnchanged: version.isUnchanged,
    isChangedOutside,
    canRestore: view.userContext.user.perm.modify && !version.isUnchanged,
    canDelete: view.canDelete(visible),
  };
}
