import fs from 'node:fs';
import { syscalls } from '../disk/paths/syscalls.ts';

/** The calls of {@link syscalls} by which a storage changes the disk. `open` counts because it creates files. */
const changes = [
  'open',
  'write',
  'writev',
  'ftruncate',
  'fdatasync',
  'fsync',
  'fchmod',
  'fchown',
  'futimes',
  'chmod',
  'utimes',
  'mkdir',
  'rmdir',
  'link',
  'symlink',
  'unlink',
  'rename',
  'copyFile',
] as const;

type Call = (...given: unknown[]) => Promise<unknown>;

/** A power switch for the disk of a test: after it is off, calls have no effect and do not return, as after a kill. */
export interface CrashSwitch {
  /** Turns off instead of the call number `point`, counted from 1. */
  arm(point: number): void;
  /** The number of calls since the switch was armed. */
  readonly count: number;
  readonly isOff: boolean;
  /** Resolves when it turns off. */
  readonly off: Promise<void>;
  /** Restores the calls. */
  remove(): void;
}

/** Replaces the calls with which storages of this process change the disk, until the switch is removed. */
export function installCrashSwitch(): CrashSwitch {
  const table: Record<string, unknown> = syscalls;
  const originals = new Map<string, unknown>(changes.map((name) => [name, table[name]]));
  const { writeFileSync, renameSync } = fs;
  let count = 0;
  let fatal = Infinity;
  let isOff = false;
  let turnOff: () => void = () => undefined;
  const off = new Promise<void>((resolve) => {
    turnOff = resolve;
  });
  /** Counts a call, and returns whether it may be made. */
  const reach = (): boolean => {
    count += 1;
    if (count === fatal) {
      isOff = true;
      turnOff();
    }
    return !isOff;
  };
  for (const [name, original] of originals) {
    table[name] = (...given: unknown[]): Promise<unknown> => {
      if (!reach()) return new Promise(() => undefined);
      return (original as Call)(...given);
    };
  }
  const stop = (): never => {
    throw new Error('the disk is off');
  };
  fs.writeFileSync = (...given: Parameters<typeof writeFileSync>) =>
    reach() ? writeFileSync(...given) : stop();
  fs.renameSync = (...given: Parameters<typeof renameSync>) => (reach() ? renameSync(...given) : stop());
  return {
    arm(point) {
      count = 0;
      fatal = point;
    },
    get count() {
      return count;
    },
    get isOff() {
      return isOff;
    },
    off,
    remove() {
      for (const [name, original] of originals) table[name] = original;
      fs.writeFileSync = writeFileSync;
      fs.renameSync = renameSync;
    },
  };
}
