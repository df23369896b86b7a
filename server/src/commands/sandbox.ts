import path from 'node:path';
import type { PinnedFolder, HiddenPath } from '../storage/disk/disk-paths.ts';
import { cleanEnvironment } from './environment.ts';

/** The path of the user's scope in the sandbox. */
const scopeMountPoint = '/files';

/** The system paths that programs need: executables, libraries, and the parts of `/etc` that are needed to find them. */
const systemPaths = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
];
/** No network, no other processes, no capabilities; the sandbox ends with the server. */
const isolation =
  '--unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL --hostname filestead --clearenv'.split(
    ' ',
  );
/** Size of the private `/tmp`, in bytes. */
const temporaryBytes = 64 * 1024 ** 2;
const privateMounts = `--proc /proc --dev /dev --size ${temporaryBytes} --tmpfs /tmp`.split(' ');
/** Maximum number of processes in one sandbox. Linux does not enforce it when the server runs as root. */
const maxProcesses = 256;

/** The features of this system's sandbox, as detected by test runs. */
export interface SandboxAbilities {
  /** Folders can be bound by file descriptor, so that their path is not resolved again. */
  readonly bindsDescriptors: boolean;
  /** `prlimit` is installed and can limit memory and processes. */
  readonly limitsResources: boolean;
}

/** A sandbox for one program. */
export interface SandboxedProgram {
  readonly scope: PinnedFolder;
  readonly isWritable: boolean;
  /** Files and folders that must not be visible in the scope or elsewhere. */
  readonly hidden: readonly HiddenPath[];
  /** The disk path of the served folder. It is visible only through the scope. */
  readonly servedPath: string;
  /** Segments of the working folder below the scope. */
  readonly folder: readonly string[];
  /** Memory limit of each process in bytes; 0 for no limit. */
  readonly memoryBytes: number;
  readonly words: readonly [string, ...string[]];
}

/** Returns the command that runs `words` with resource limits. */
export const withLimits = (words: readonly string[], memoryBytes: number): string[] => [
  'prlimit',
  '--core=0',
  `--nproc=${maxProcesses}`,
  ...(memoryBytes === 0 ? [] : [`--data=${memoryBytes}`]),
  '--',
  ...words,
];

/** Returns the path of `target` relative to `folder`; null when it is not inside. */
function relativeIfInside(folder: string, target: string): string | null {
  const relative = path.relative(folder, target);
  return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
}

/**
 * Returns the arguments that cover the hidden entries below `source`, which is mounted at `mountPoint`. Entries in a covered
 * folder need no cover.
 */
function coverArguments(source: string, mountPoint: string, hidden: readonly HiddenPath[]): string[] {
  const isInCoveredFolder = (entry: HiddenPath): boolean =>
    hidden.some(
      (other) =>
        other.isFolder && other.path !== entry.path && relativeIfInside(other.path, entry.path) !== null,
    );
  return hidden.flatMap((entry) => {
    const relative = relativeIfInside(source, entry.path);
    if (relative === null || isInCoveredFolder(entry)) return [];
    const target = path.join(mountPoint, relative);
    return entry.isFolder ? ['--tmpfs', target, '--remount-ro', target] : ['--ro-bind', '/dev/null', target];
  });
}

/**
 * Returns the arguments of `bwrap` for a program that sees only the scope at `/files`, the system's programs read-only and
 * an empty `/tmp`, without network and without other processes. The scope's folder is inherited as descriptor 3.
 */
export function sandboxArguments(
  { scope, isWritable, hidden, servedPath, folder, memoryBytes, words }: SandboxedProgram,
  { bindsDescriptors, limitsResources }: SandboxAbilities,
): string[] {
  const bind = `${isWritable ? '' : 'ro-'}bind`;
  const environment = Object.entries(cleanEnvironment('/tmp'));
  return [
    ...isolation,
    ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemPaths.flatMap((systemPath) => ['--ro-bind-try', systemPath, systemPath]),
    ...privateMounts,
    ...(bindsDescriptors
      ? [`--${bind}-fd`, '3', scopeMountPoint]
      : [`--${bind}`, scope.realPath, scopeMountPoint]),
    ...coverArguments(scope.realPath, scopeMountPoint, hidden),
    ...coverArguments('/usr', '/usr', [...hidden, { path: servedPath, isFolder: true }]),
    '--remount-ro',
    '/',
    '--chdir',
    path.posix.join(scopeMountPoint, ...folder),
    '--',
    ...(limitsResources ? withLimits(words, memoryBytes) : words),
  ];
}
