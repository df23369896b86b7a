import fs from 'node:fs';
import { isErrno } from './syscalls.ts';
import type { Folder } from './folder.ts';
import { textOfRaw } from './raw-names.ts';

/** One line of `/proc/self/mountinfo` (proc(5)). */
export interface Mount {
  readonly id: number;
  readonly parent: number;
  /** `major:minor` of the file system; identical for all subvolumes of a btrfs. */
  readonly device: string;
  /** The folder of the file system that is mounted. Bytes that are not UTF-8 are escaped here and in `point`. */
  readonly root: string;
  /** The mount point, as this process sees it. */
  readonly point: string;
  /** The type of the file system, such as `ext4`. */
  readonly type: string;
}

/** Decodes a path of the table: spaces, tabs, line ends and backslashes are escaped as three octal digits per byte. */
function decodePath(escaped: string): string {
  const bytes = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return textOfRaw(Buffer.from(bytes, 'latin1'));
}

/** Parses the table; `text` has one character for each of its bytes. */
function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [head = '', tail = ''] = line.split(' - ');
    const [id, parent, device, root, point] = head.split(' ');
    if (device === undefined || root === undefined || point === undefined) return [];
    const type = tail.split(' ')[0] ?? '';
    return [
      {
        id: Number(id),
        parent: Number(parent),
        device,
        root: decodePath(root),
        point: decodePath(point),
        type,
      },
    ];
  });
}

/** Reads the mounts that this process sees; null on systems that do not report them (macOS, Windows). */
export async function readMounts(): Promise<readonly Mount[] | null> {
  try {
    return parseMounts(await fs.promises.readFile('/proc/self/mountinfo', 'latin1'));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}

/** The id of the mount through which `folder` was opened; null without a descriptor, or when the kernel does not report it. */
export function mountIdOf({ descriptor }: Folder): number | null {
  if (descriptor < 0) return null;
  try {
    const id = /^mnt_id:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return id === undefined ? null : Number(id);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EACCES')) return null;
    throw error;
  }
}

/** Identifies the file system of an open folder: equal for all its mounts and subvolumes, where the kernel reports mounts. */
export async function fileSystemOf(folder: Folder): Promise<string> {
  const id = mountIdOf(folder);
  const mounts = id === null ? null : await readMounts();
  return mounts?.find((mount) => mount.id === id)?.device ?? String(folder.device);
}

/** Whether the absolute `path` is `folder` or is below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** The path within the file system itself of the absolute `path`, which is reached through `mount`. */
const pathInFileSystem = ({ root, point }: Mount, path: string): string =>
  `${root}/${path.slice(point.length)}`.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');

/** The innermost mount that contains the absolute `path`; the last one when several share a mount point. */
export function mountAt(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts) {
    if (isAtOrBelow(path, mount.point) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found;
}

/**
 * Whether something is mounted at or below the folder `path`, which is reached through `own`. Paths are compared within the
 * file system, so that mounts on another path to the same folder (a bind mount) are found too.
 */
export function hasMountBelow(mounts: readonly Mount[], own: Mount, path: string): boolean {
  const byId = new Map(mounts.map((mount) => [mount.id, mount]));
  const innerPath = pathInFileSystem(own, path);
  return mounts.some((mount) => {
    const above = byId.get(mount.parent);
    if (above === undefined || above.id === mount.id || above.device !== own.device) return false;
    return isAtOrBelow(pathInFileSystem(above, mount.point), innerPath);
  });
}
