import { joinPaths, rootPath, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { DiskPlaces } from '../storage/disk/disk-places.ts';
import { cleanEnvironment, programPath } from './environment.ts';
import { type Launch, runProgram } from './run-program.ts';
import { type SandboxAbilities, sandboxArguments, withLimits } from './sandbox.ts';

/** A program that a user wants to run. */
export interface WantedProgram {
  readonly words: readonly [string, ...string[]];
  /** The user's scope, seen from the served folder. */
  readonly scope: VirtualPath;
  /** The working folder, within the scope. */
  readonly folder: VirtualPath;
  readonly isWritable: boolean;
  /** Paths within the scope that the user's rules deny. */
  readonly denied: readonly VirtualPath[];
}

/** A program ready to be started, and how to give back what it holds. */
export interface PreparedProgram extends Launch {
  /** To be called once, when the program is over. */
  release(): void;
}

/** How users' programs are started on this system. */
export interface Launcher {
  /** `none`: there is no sandbox and the administrator has not chosen to do without one. */
  readonly kind: 'sandbox' | 'unsandboxed' | 'none';
  /** Throws `not_found`, `not_a_folder`, `external_link` when the scope or the folder is none. */
  prepare(program: WantedProgram): Promise<PreparedProgram>;
}

export interface LauncherOptions {
  /** The administrator's explicit choice. */
  readonly isUnsandboxed: boolean;
  /** In bytes for each process; 0 for no limit. */
  readonly memoryBytes: number;
}

/** A trial of the sandbox may take so long. */
const trialMs = 10_000;
/** For programs without a sandbox: no folder whose files could steer a program. */
const noHome = '/nonexistent';

const outerEnvironment = { PATH: programPath, LANG: 'C.UTF-8' };

/** Whether a program starts and ends well. */
async function works(launch: Launch): Promise<boolean> {
  const nobody = { write: () => true, drained: () => Promise.resolve() };
  const limits = { timeoutMs: trialMs, maxOutputBytes: 64 * 1024 };
  const { reason, exit } = await runProgram(launch, limits, nobody, new AbortController().signal);
  return reason === 'ended' && exit === 0;
}

/** What the sandbox of this system can do, or null when it does not work here. */
async function trySandbox(places: DiskPlaces): Promise<SandboxAbilities | null> {
  const root = await places.hold(rootPath);
  try {
    for (const bindsDescriptors of root.descriptor < 0 ? [false] : [true, false]) {
      for (const limitsResources of [true, false]) {
        const abilities = { bindsDescriptors, limitsResources };
        const trial = { scope: root, isWritable: false, hidden: [], servedPath: root.realPath, folder: [] };
        const args = sandboxArguments({ ...trial, memoryBytes: 0, words: ['true'] }, abilities);
        const launch = { file: 'bwrap', args, env: outerEnvironment, descriptor: root.descriptor };
        if (await works(launch)) return abilities;
      }
    }
    return null;
  } finally {
    root.release();
  }
}

function sandboxed(places: DiskPlaces, abilities: SandboxAbilities, memoryBytes: number): Launcher {
  return {
    kind: 'sandbox',
    async prepare({ words, scope, folder, isWritable, denied }) {
      const held = await places.hold(scope);
      try {
        const kept = await Promise.all(denied.map((path) => held.entry(path)));
        const hidden = [...(await places.hidden()), ...kept.filter((place) => place !== null)];
        const servedPath = places.pathOf(rootPath);
        const below = segmentsOf(folder);
        const program = { scope: held, isWritable, hidden, servedPath, folder: below, memoryBytes, words };
        const args = sandboxArguments(program, abilities);
        const { descriptor, release } = held;
        return { file: 'bwrap', args, env: outerEnvironment, descriptor, release };
      } catch (error) {
        held.release();
        throw error;
      }
    },
  };
}

async function unsandboxed(places: DiskPlaces, memoryBytes: number): Promise<Launcher> {
  const limitsResources = await works({
    file: 'prlimit',
    args: ['--core=0', '--', 'true'],
    env: outerEnvironment,
    descriptor: -1,
  });
  return {
    kind: 'unsandboxed',
    async prepare({ words, scope, folder }) {
      const held = await places.hold(joinPaths(scope, folder));
      const [file, ...args] = limitsResources ? withLimits(words, memoryBytes) : words;
      return {
        file: file ?? words[0],
        args,
        env: cleanEnvironment(noHome),
        cwd: `${held.path}/.`,
        descriptor: -1,
        release: () => held.release(),
      };
    },
  };
}

/** Finds out how programs can be started here: in a sandbox, or without one only when that was asked for. */
export async function openLauncher(
  places: DiskPlaces,
  { isUnsandboxed, memoryBytes }: LauncherOptions,
): Promise<Launcher> {
  if (isUnsandboxed) return unsandboxed(places, memoryBytes);
  const abilities = await trySandbox(places);
  if (abilities !== null) return sandboxed(places, abilities, memoryBytes);
  return {
    kind: 'none',
    prepare: () => Promise.reject(new Error('there is no sandbox to run commands in')),
  };
}
