import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { vi } from 'vitest';
import { openTestClock, type TestClock } from '../../test/test-clock.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { StoreReport } from '../storage/kept/kept-entries.ts';
import { thin } from '../versions/thinning.ts';
import type { RetentionRules } from './choose-entries.ts';
import { SpaceKeeper } from './space-keeper.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const gibibyte = 1024 ** 3;

/** A kept entry of a test. */
export interface TestEntry {
  readonly id: string;
  readonly path?: string;
  /** Time since the entry was deleted or replaced. */
  readonly ageMs: number;
  readonly bytes?: number | null;
  readonly act?: 'delete' | 'save';
  readonly userId?: number;
}

/** A disk of 1 TiB, a clock that only tests move, and an index of entries, all without files. */
export interface TestDisk {
  readonly database: Database;
  readonly clock: TestClock;
  readonly keeper: SpaceKeeper;
  readonly log: Record<'info' | 'warn' | 'error', ReturnType<typeof vi.fn>>;
  /** Can be changed by tests. */
  readonly state: {
    free: number;
    total: number;
    names: StoreReport['names'];
    problem: string | null;
    keptSize: number;
    rules: RetentionRules;
    isPresent: boolean;
    isLedgerReadable: boolean;
    /** Whether the disk has more free space after a removal. */
    frees: boolean;
  };
  add(...entries: readonly TestEntry[]): Promise<void>;
  /** The ids of the entries that are left, sorted. */
  left(): Promise<string[]>;
  /** Reads the free space at the beginning and the end of two minutes. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a disk whose server was started more than an hour ago. */
export async function openTestDisk(): Promise<TestDisk> {
  const database = await openDatabase(':memory:');
  const clock = openTestClock(0, { isStopped: true });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const state: TestDisk['state'] = {
    free: 500 * gibibyte,
    total: 1024 * gibibyte,
    names: null,
    problem: null,
    keptSize: 0,
    rules: { trashDays: 30, versionDays: 365, keepAtLeastMs: 7 * dayMs },
    isPresent: true,
    isLedgerReadable: true,
    frees: true,
  };
  const counts = { entries: 0, fileBytes: 0, withoutRecord: 0, withoutEntry: 0, foreign: 0 };
  const keeper = new SpaceKeeper({
    repository: database.retention,
    kept: database.trash,
    measure: async () => {
      const { free, total, names, problem } = state;
      return [{ store: rootPath, free, total, names, problem, ...counts }];
    },
    readLedger: async () => {
      if (!state.isLedgerReadable) throw new Error('input/output error');
    },
    isPresent: async () => state.isPresent,
    async purge() {
      const due = await database.trash.due(clock.now(), 100_000);
      const bytes = due.reduce((sum, { size }) => sum + (size ?? 0), 0);
      if (state.frees) state.free += bytes;
      await database.trash.remove(due.map(({ id }) => id));
    },
    thin,
    rules: () => state.rules,
    keptSize: () => state.keptSize,
    clock,
    log,
  });
  const confirm = async (): Promise<void> => {
    await keeper.read();
    clock.advance(minuteMs);
    await keeper.read();
    clock.advance(minuteMs);
  };
  clock.advance(hourMs);
  return {
    database,
    clock,
    keeper,
    log,
    state,
    async add(...entries) {
      const now = clock.now();
      for (const { id, path = `/${id}`, ageMs, bytes = gibibyte, act = 'delete', userId = 1 } of entries) {
        const entry = {
          id,
          store: rootPath,
          folder: '2026-11-22T10',
          storedName: id,
          originalPath: virtualPath(path),
          kind: bytes === null ? ('folder' as const) : ('file' as const),
          size: bytes,
          modifiedNs: '0',
          keptAt: now - ageMs,
          operation: 'operation',
          act,
          userId,
          session: null,
        };
        await database.trash.add([entry], (name) => name);
      }
    },
    async left() {
      const deleted = await database.trash.list({ limit: 10_000 });
      const { versions } = await database.versions.byFile(null, 10_000);
      return [...deleted, ...versions].map(({ id }) => id).toSorted();
    },
    confirm,
    async close() {
      await keeper.close();
      await database.close();
    },
  };
}
