import path from 'node:path';
import type { HeldFolder, HiddenPlace } from '../storage/disk/disk-places.ts';
import { cleanEnvironment } from './environment.ts';

/** Where the user's scope lies for a program in the sandbox. */
const scopePlace = '/files';

/** What programs need of the system: their files, libraries and the little of `/etc` that finding those takes. */
const systemPlaces = [
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
/** No network, no other process, no right beyond those on files; ends with the server. */
const isolation =
  '--unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL --hostname filestead --clearenv'.split(
    ' ',
  );
/** Size of the private `/tmp`, in bytes. */
const temporaryBytes = 64 * 1024 ** 2;
const freshPlaces = `--proc /proc --dev /dev --size ${temporaryBytes} --tmpfs /tmp`.split(' ');
/** Most processes in one sandbox. Not enforced by Linux when the server runs as root. */
const maxProcesses = 256;

/** What this system's sandbox can do; found out by trying. */
export interface SandboxAbilities {
  /** Folders are bound by descriptor, so that no name is looked up once more. */
  readonly bindsDescriptors: boolean;
  /** `prlimit` is there to limit memory and processes. */
  readonly limitsResources: boolean;
}

/** A sandbox for one program. */
export interface SandboxedProgram {
  readonly scope: HeldFolder;
  readonly isWritable: boolean;
  /** Not to be seen in the scope or anywhere else. */
  readonly hidden: readonly HiddenPlace[];
  /** The disk path of the served folder: seen as far as the scope goes, and no other way. */
  readonly servedPath: string;
  /** Segments of the working folder below the scope. */
  readonly folder: readonly string[];
  /** In bytes for each process; 0 for no limit. */
  readonly memoryBytes: number;
  readonly words: readonly [string, ...string[]];
}

/** The words that start `words` within limits of the system. */
export const withLimits = (words: readonly string[], memoryBytes: number): string[] => [
  'prlimit',
  '--core=0',
  `--nproc=${maxProcesses}`,
  ...(memoryBytes === 0 ? [] : [`--data=${memoryBytes}`]),
  '--',
  ...words,
];

/** Where `place` lies below `folder`, as a relative path; null when it lies elsewhere. */
function below(folder: string, place: string): string | null {
  const relative = path.relative(folder, place);
  return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
}

/** Covers hidden things that lie below `source`, which is seen at `place`. What lies in a covered folder is covered by it. */
function covers(source: string, place: string, hidden: readonly HiddenPlace[]): string[] {
  const isInside = (thing: HiddenPlace): boolean =>
    hidden.some(
      (other) => other.isFolder && other.path !== thing.path && below(other.path, thing.path) !== null,
    );
  return hidden.flatMap((thing) => {
    const relative = below(source, thing.path);
    if (relative === null || isInside(thing)) return [];
    const seen = path.join(place, relative);
    return thing.isFolder ? ['--tmpfs', seen, '--remount-ro', seen] : ['--ro-bind', '/dev/null', seen];
  });
}

/**
 * The arguments of `bwrap` for a program that sees the scope at `/files`, the system's programs read-only, an empty `/tmp`,
 * no network, no other process and nothing else. The scope's folder is handed on as descriptor 3.
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
    ...systemPlaces.flatMap((place) => ['--ro-bind-try', place, place]),
    ...freshPlaces,
    ...(bindsDescriptors ? [`--${bind}-fd`, '3', scopePlace] : [`--${bind}`, scope.realPath, scopePlace]),
    ...covers(scope.realPath, scopePlace, hidden),
    ...covers('/usr', '/usr', [...hidden, { path: servedPath, isFolder: true }]),
    '--remount-ro',
    '/',
    '--chdir',
    path.posix.join(scopePlace, ...folder),
    '--',
    ...(limitsResources ? withLimits(words, memoryBytes) : words),
  ];
}
