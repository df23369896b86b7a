import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

// As with the journeys: tests that passed only when retried on a shared machine are listed in the summary of `npm test`.
const retry = process.env['CI'] ? 1 : 0;

/** Tests of the command line that start servers: in a run of all parts only the installed program runs them. */
const serverStarts = ['server/src/main.test.ts', 'server/src/start/signals.test.ts'];
const runsInstalled = process.env['FILESTEAD_RUNS_INSTALLED'] === '1';

/** Tests of web streams: those of Node and of jsdom do not know each other across the realms of `vmThreads`. */
const streamTests = [
  'src/api/stream-listing.test.ts',
  'src/features/files/details/measure-folder.test.ts',
  'src/features/previews/archives/read-archive.test.ts',
];

/** The tests of the page, each file in a realm of its own: as isolated as in a worker of its own at half the cost. */
const web = {
  extends: './web/vite.config.ts',
  test: {
    root: './web',
    environment: 'jsdom',
    setupFiles: [join(import.meta.dirname, 'web', 'src', 'test-setup.ts')],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    retry,
    testTimeout: 30_000,
  },
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'server/test/installed/**', ...(runsInstalled ? serverStarts : [])],
          environment: 'node',
          retry,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What ships: its own tests, and those of the command line once more, with the installed program.
        test: {
          name: 'installed',
          include: [
            'server/test/installed/**/*.test.ts',
            ...serverStarts,
            'server/src/cli/manual.test.ts',
            'server/src/cli/backups/backup.test.ts',
            'server/src/cli/doctor/doctor.test.ts',
            'server/src/cli/filebrowser/start-line.test.ts',
          ],
          globalSetup: ['server/test/installed/install.ts'],
          setupFiles: ['server/test/installed/use-program.ts'],
          environment: 'node',
          retry,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Every form that the product ships in, installed and used from outside.
        test: {
          name: 'packages',
          include: ['packaging/test/**/*.test.mjs'],
          environment: 'node',
          retry: 0,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        ...web,
        test: {
          ...web.test,
          name: 'web',
          pool: 'vmThreads',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...streamTests],
        },
      },
      {
        ...web,
        test: { ...web.test, name: 'web streams', include: streamTests },
      },
    ],
    maxWorkers: 2,
  },
});
