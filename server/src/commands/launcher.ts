import { joinPaths, rootPath, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { DiskPaths } from '../storage/disk/disk-paths.ts';
import { cleanEnvironment, programPath } from './environment.ts';
import { type Launch, runProgram } from './run-program.ts';
import { type SandboxAbilities, sandboxArguments, withLimits } from './sandbox.ts';

/** A program that a user requested to run. */
export interface RequestedProgram {
  readonly words: readonly [string, ...string[]];
  /** The user's scope, relative to the served folder. */
  readonly scope: VirtualPath;
  /** The working folder, within the scope. */
  readonly folder: VirtualPath;
  readonly isWritable: boolean;
  /** Paths within the scope that the user's rules deny. */
  readonly denied: readonly VirtualPath[];
}

/** A program that is ready to be started. Its resources have to be released. */
export interface PreparedProgram extends Launch {
  /** Has to be called once, when the program has ended. */
  release(): void;
}

/** Prepares users' programs in the way that this system supports. */
export interface Launcher {
  /** `none`: the sandbox does not work, and the administrator has not allowed commands without one. */
  readonly kind: 'sandbox' | 'unsandboxed' | 'none';
  /** Throws `not_found`, `not_a_folder`, `external_link` when the scope or the working folder is not a folder. */
  prepare(program: RequestedProgram): Promise<PreparedProgram>;
}

/** Options of {@link openLauncher}. */
export interface LauncherOptions {
  /** The administrator explicitly allows commands without a sandbox. */
  readonly isUnsandboxed: boolean;
  /** Memory limit of each process in bytes; 0 for no limit. */
  readonly memoryBytes: number;
}

/** Time limit of a test run of the sandbox. */
const trialMs = 10_000;
/** HOME of programs without a sandbox: a missing folder, so that no configuration files are read. */
const noHome = '/nonexistent';

const outerEnvironment = { PATH: programPath, LANG: 'C.UTF-8' };

/** Whether a program starts and exits with 0. */
async function runsSuccessfully(launch: Launch): Promise<boolean> {
  const discard = { write: () => true, drained: () => Promise.resolve() };
  const limits = { timeoutMs: trialMs, maxOutputBytes: 64 * 1024 };
  const { reason, exit } = await runProgram(launch, limits, discard, new AbortController().signal);
  return reason === 'ended' && exit === 0;
}

/** Tests which features the sandbox of this system has; null when it does not work. */
async function detectSandbox(diskPaths: DiskPaths): Promise<SandboxAbilities | null> {
  const root = await diskPaths.pinFolder(rootPath);
  try {
    for (const bindsDescriptors of root.descriptor < 0 ? [false] : [true, false]) {
      for (const limitsResources of [true, false]) {
        const abilities = { bindsDescriptors, limitsResources };
        const trial = { scope: root, isWritable: false, hidden: [], servedPath: root.realPath, folder: [] };
        const args = sandboxArguments({ ...trial, memoryBytes: 0, words: ['true'] }, abilities);
        const launch = { file: 'bwrap', args, env: outerEnvironment, descriptor: root.descriptor };
        if (await runsSuccessfully(launch)) return abilities;
      }
    }
    return null;
  } finally {
    root.release();
  }
}

function openSandboxed(diskPaths: DiskPaths, abilities: SandboxAbilities, memoryBytes: number): Launcher {
  return {
    kind: 'sandbox',
    async prepare({ words, scope, folder, isWritable, denied }) {
      const pinned = await diskPaths.pinFolder(scope);
      try {
        const deniedEntries = await Promise.all(denied.map((path) => pinned.entry(path)));
        const hidden = [...(await diskPaths.hidden()), ...deniedEntries.filter((entry) => entry !== null)];
        const servedPath = diskPaths.pathOf(rootPath);
        const workingFolder = segmentsOf(folder);
        const program = {
          scope: pinned,
          isWritable,
          hidden,
          servedPath,
          folder: workingFolder,
          memoryBytes,
          words,
        };
        const args = sandboxArguments(program, abilities);
        const { descriptor, release } = pinned;
        return { file: 'bwrap', args, env: outerEnvironment, descriptor, release };
      } catch (error) {
        pinned.release();
        throw error;
      }
    },
  };
}

async function openUnsandboxed(diskPaths: DiskPaths, memoryBytes: number): Promise<Launcher> {
  const limitsResources = await runsSuccessfully({
    file: 'prlimit',
    args: ['--core=0', '--', 'true'],
    env: outerEnvironment,
    descriptor: -1,
  });
  return {
    kind: 'unsandboxed',
    async prepare({ words, scope, folder }) {
      const pinned = await diskPaths.pinFolder(joinPaths(scope, folder));
      const [file, ...args] = limitsResources ? withLimits(words, memoryBytes) : words;
      return {
        file: file ?? words[0],
        args,
        env: cleanEnvironment(noHome),
        cwd: `${pinned.path}/.`,
        descriptor: -1,
        release: () => pinned.release(),
      };
    },
  };
}

/** Opens the launcher: without a sandbox if the options say so, otherwise with one if it works on this system. */
export async function openLauncher(
  diskPaths: DiskPaths,
  { isUnsandboxed, memoryBytes }: LauncherOptions,
): Promise<Launcher> {
  if (isUnsandboxed) return openUnsandboxed(diskPaths, memoryBytes);
  const abilities = await detectSandbox(diskPaths);
  if (abilities !== null) return openSandboxed(diskPaths, abilities, memoryBytes);
  return {
    kind: 'none',
    prepare: () => Promise.reject(new Error('no sandbox is available to run commands')),
  };
}
