// Helpers of the tests in this folder: they start packaged forms of the product and test them from outside.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { systemdSystem } from '../../scripts/lib/minimal-system.mjs';

export const password = 'a password for tests';

/** Whether this machine has the program. */
export const hasProgram = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

export const isRoot = process.getuid?.() === 0;

/** The options of a test that quick runs include; see docs/decisions/0048-packages-in-ci.md. */
export const quick = { tags: ['quick'] };

/** The only minimal system of a quick run, '' if it could not be created. Undefined in a run of all tests. */
const quickSystem = process.env.FILESTEAD_QUICK_SYSTEM;

/** Whether only the quick tests run, with packages that are compressed less or not at all. */
export const isQuick = quickSystem !== undefined;

/** Whether minimal systems can be created. In a quick run this has been tried. */
export const hasMinimalSystem = () => (isQuick ? quickSystem !== '' : hasProgram('mmdebstrap'));

/** Returns the folder of the minimal system for installing packages, in a quick run the only one. */
export const systemForPackages = () => quickSystem ?? systemdSystem();

const succeeds = (command, ...args) => spawnSync(command, args).status === 0;

/** Whether this process may mount file systems in new namespaces: root in a container often may not. */
export const canMount = () =>
  isRoot && succeeds('unshare', '-mpn', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir());

/** Whether bubblewrap is installed and may create namespaces. */
export const canSandbox = () => succeeds('bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true');

/** Whether systemd could boot in new namespaces: it needs the hierarchy of control groups that has its name. */
export const canBootSystemd = () =>
  canMount() &&
  succeeds(
    'unshare',
    '-m',
    '--cgroup',
    'mount',
    '-t',
    'cgroup',
    '-o',
    'none,name=systemd',
    'systemd',
    tmpdir(),
  );

/** Returns whether a requirement is missing, and then prints which tests are skipped and why. */
export function reportMissing(title, requirements) {
  const missing = Object.entries(requirements)
    .filter(([, isAvailable]) => !isAvailable)
    .map(([name]) => name);
  if (missing.length > 0) process.stdout.write(`SKIPPED: ${title}; missing: ${missing.join(', ')}\n`);
  return missing.length > 0;
}

/** Runs a program to its end. Throws with its output unless it ends with `expected`. */
export function runChecked(command, args, { expected = 0, ...options } = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, ...options });
  if (result.status !== expected) {
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status ?? result.signal ?? result.error?.message}: ${result.stdout}${result.stderr}`,
    );
  }
  return result;
}

/**
 * Creates a temporary folder before the tests of the current suite, unless all of them are skipped. `remove` ends the programs started
 * with `start` and removes the folder.
 */
export function openTestFolder() {
  const folder = join(tmpdir(), `filestead-package-${randomUUID()}`);
  const create = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  beforeAll(create);
  const running = new Set();
  return {
    folder,
    /** Creates a new, empty subfolder. Returns its path. */
    make(name) {
      create();
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    /**
     * Starts a program and waits until it prints `pattern`. Returns the match, its output, and the elapsed time. Throws when it
     * ends before.
     */
    start(command, args, { pattern = /at (https?:\S+)/, ...options } = {}) {
      const begin = performance.now();
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
      running.add(child);
      let output = '';
      const ended = new Promise((resolve) => child.once('close', resolve));
      void ended.then(() => running.delete(child));
      return new Promise((resolve, reject) => {
        const onData = (chunk) => {
          output += chunk;
          const match = pattern.exec(output);
          if (match === null) return;
          resolve({ match, child, ended, output: () => output, elapsedMs: performance.now() - begin });
        };
        child.stdout.on('data', onData);
        child.stderr.on('data', onData);
        child.once('error', reject);
        void ended.then((status) => reject(new Error(`${command} ended with ${status}: ${output}`)));
      });
    },
    async remove() {
      for (const child of running) {
        // The whole group: some programs start the server as a child.
        process.kill(-child.pid, 'SIGKILL');
        await new Promise((resolve) => child.once('close', resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the total size of all files below a folder in bytes; hard links are counted once. */
export function bytesBelow(folder, seen = new Set()) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => {
    const path = join(folder, name);
    const entry = lstatSync(path);
    if (entry.isDirectory()) return sum + bytesBelow(path, seen);
    if (seen.has(entry.ino)) return sum;
    seen.add(entry.ino);
    return sum + entry.size;
  }, 0);
}

/** Returns the median. */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints a measurement and its limit, and returns whether it is within the limit. */
export function isWithin(title, value, limit, unit) {
  process.stdout.write(
    `MEASURED: ${title}: ${value.toFixed(unit === 'ms' ? 0 : 1)} ${unit} (limit ${limit})\n`,
  );
  return value <= limit;
}

export const megabytes = (bytes) => bytes / 1_000_000;
