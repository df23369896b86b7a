import { spawnSync } from 'node:child_process';

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Mounts for one test; all of them are unmounted by {@link Mounts.release}, the last one first. */
export class Mounts {
  readonly #points: string[] = [];

  /** Mounts an empty file system in memory at `point`; false if that is not permitted. */
  tmpfs(point: string, options = 'size=32m'): boolean {
    return this.#mount(['-t', 'tmpfs', '-o', options, 'tmpfs', point], point);
  }

  /** Bind-mounts the folder `source` at `point`; false if that is not permitted. */
  bind(source: string, point: string): boolean {
    return this.#mount(['--bind', source, point], point);
  }

  /** Unmounts `point` even while it is in use. */
  detach(point: string): void {
    if (!run('umount', ['-l', point])) throw new Error(`${point} could not be unmounted`);
    this.#points.splice(this.#points.lastIndexOf(point), 1);
  }

  remountReadOnly(point: string): void {
    if (!run('mount', ['-o', 'remount,ro', point]))
      throw new Error(`${point} could not be mounted read-only`);
  }

  release(): void {
    for (const point of this.#points.splice(0).toReversed()) run('umount', ['-l', point]);
  }

  #mount(args: readonly string[], point: string): boolean {
    const isMounted = process.platform === 'linux' && run('mount', args);
    if (isMounted) this.#points.push(point);
    return isMounted;
  }
}

/** The reason that a skipped test reports. */
export const onlyRootMounts = 'only root on Linux may mount a file system';
