// Starts forms of the product and asks them from outside, for the tests in this folder.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userCache } from '../../scripts/lib/user-cache.mjs';

export const password = 'a password for tests';

/** Whether this machine has the program. */
export const hasProgram = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

export const isRoot = process.getuid?.() === 0;

/** Names on the output what is left out and why; never silently. Returns whether something is missing. */
export function isLeftOut(title, needs) {
  const missing = Object.entries(needs)
    .filter(([, isThere]) => !isThere)
    .map(([name]) => name);
  if (missing.length > 0) process.stdout.write(`LEFT OUT: ${title}, for want of ${missing.join(', ')}\n`);
  return missing.length > 0;
}

/** Runs a program to its end. Throws with its output unless it ends with `expected`. */
export function runProgram(command, args, { expected = 0, ...options } = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, ...options });
  if (result.status !== expected) {
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status ?? result.signal ?? result.error?.message}: ${result.stdout}${result.stderr}`,
    );
  }
  return result;
}

/** A new folder with an empty one to serve in it; `remove` ends what was started there and removes all. */
export function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'filestead-package-'));
  const running = new Set();
  return {
    folder,
    /** A new, empty folder below it. */
    make(name) {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    /**
     * Starts a program and waits until it prints `pattern`. Returns the match, its output, and how long that took. Throws when it
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

/** The bytes of all files below a folder; those with several names count once. */
export function bytesBelow(folder, seen = new Set()) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => {
    const path = join(folder, name);
    const { size, ino } = lstatSync(path);
    if (lstatSync(path).isDirectory()) return sum + bytesBelow(path, seen);
    if (seen.has(ino)) return sum;
    seen.add(ino);
    return sum + size;
  }, 0);
}

/** The middle of some measurements. */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints a measurement beside its bar, and returns whether it is within. */
export function isWithin(title, value, bar, unit) {
  process.stdout.write(`MEASURED: ${title}: ${value.toFixed(unit === 'ms' ? 0 : 1)} ${unit} (bar ${bar})\n`);
  return value <= bar;
}

export const megabytes = (bytes) => bytes / 1_000_000;

/** The folder of a minimal Debian with nothing but the named further packages. */
export function minimalSystem(name, packages = []) {
  const script = join(import.meta.dirname, 'fresh-chroot.sh');
  return runProgram('sh', [script, userCache('systems'), name, ...packages]).stdout.trim();
}
