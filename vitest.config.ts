import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

// As with the journeys: tests that passed only when retried on a shared machine are listed in the summary of `npm test`.
const retry = process.env['CI'] ? 1 : 0;

/** Tests of the command line that start the program or run all its commands: in a run of all parts only the installed program runs them. */
const programTests = [
  'server/src/main.test.ts',
  'server/src/start/signals.test.ts',
  'server/src/cli/manual.test.ts',
  'server/src/cli/filebrowser/start-line.test.ts',
];
const runsInstalled = process.env['FILESTEAD_RUNS_INSTALLED'] === '1';

/**
 * Tests of commands that start the program for each of many variations: a run of all parts runs them from the sources only, and what the
 * bundle could change in `installed/maintenance.test.ts`.
 */
const commandVariations = ['server/src/cli/backups/backup.test.ts', 'server/src/cli/doctor/doctor.test.ts'];
const runsAllParts = process.env['FILESTEAD_RUNS_ALL_PARTS'] === '1';

/** Tests of the server that kill or measure a process: each file has a process of its own. */
const aloneTests = [
  'server/test/faults/*.test.ts',
  'server/test/races/*.test.ts',
  'server/test/security/brute-force.test.ts',
  'server/test/security/load.test.ts',
  'server/src/commands/command-limits.test.ts',
  'server/src/storage/disk/disk-descriptors.test.ts',
  'server/src/storage/disk/disk-races.test.ts',
];

/**
 * The longest other files. They and {@link aloneTests} start before the rest (projects run in the order of their names), so that no
 * worker is left with a long file at the end.
 */
const longTests = [
  'server/src/archives/contents.test.ts',
  'server/src/archives/formats.test.ts',
  'server/src/files/raw.test.ts',
  'server/src/jobs/follow-jobs.test.ts',
  'server/src/previews/decoder/decode-picture.test.ts',
  'server/src/previews/previews.test.ts',
  'server/src/search/routes.test.ts',
  'server/src/storage/disk/disk-moves-across.test.ts',
  'server/src/storage/disk/disk-storage.test.ts',
  'server/src/storage/views/narrow-to.test.ts',
];

/** Tests wait for an event as long as their own limit allows: a busy machine may stall for seconds. */
const pollOptions = { poll: { timeout: 50_000 } };

/**
 * Each process of Node that is started with this variable parses all certificates of the machine first, which triples its time
 * (100 ms instead of 32 for an empty process). Tests connect to servers on loopback only.
 */
const env = { NODE_EXTRA_CA_CERTS: '' };

const server = {
  environment: 'node',
  env,
  globalSetup: ['server/test/bundle-scripts.ts'],
  setupFiles: ['server/test/compare-bytes.ts'],
  // Most functions are called a few times or never: compiling them only then saves a tenth of the processor time.
  execArgv: ['--max-lazy'],
  expect: pollOptions,
  retry,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** Other tests of the page that start what lasts until the page is closed: as those of components, each file has a realm of its own. */
const pageTests = ['src/features/files/jobs/run-job.test.ts'];

/** The tests of the page. */
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
        test: { ...server, name: 'alone', include: aloneTests },
      },
      {
        test: { ...server, name: 'long', include: longTests, isolate: false },
      },
      {
        // The other files share the processes of the workers: loading the server's modules in each file took a third of the time.
        test: {
          ...server,
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'server/test/installed/**',
            ...aloneTests,
            ...longTests,
            ...(runsInstalled ? programTests : []),
          ],
          isolate: false,
        },
      },
      {
        // The installed product: its own tests, and those of the command line once more.
        test: {
          name: 'installed',
          include: [
            'server/test/installed/**/*.test.ts',
            ...programTests,
            ...(runsAllParts ? [] : commandVariations),
          ],
          globalSetup: ['server/test/installed/install.ts'],
          setupFiles: ['server/test/compare-bytes.ts', 'server/test/installed/use-program.ts'],
          environment: 'node',
          env,
          expect: pollOptions,
          retry,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The built product in Firefox and WebKitGTK.
        test: {
          name: 'engines',
          include: ['e2e/engines/*.test.ts'],
          environment: 'node',
          env,
          // Node 20 has web sockets only with this flag.
          execArgv: typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [],
          retry,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // All packages of the product, installed and used from outside.
        test: {
          name: 'packages',
          include: ['packaging/test/**/*.test.mjs'],
          tags: [{ name: 'quick', description: 'runs in CI' }],
          environment: 'node',
          retry: 0,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Components: each file in its own realm, as isolated as in its own worker at half the cost.
        ...web,
        test: { ...web.test, name: 'web', pool: 'vmThreads', include: ['src/**/*.test.tsx', ...pageTests] },
      },
      {
        // Everything else of the page: the files share the realms of the workers, because preparing a realm takes longer than most of
        // them. Web streams of Node and of jsdom work together only here, not across the realms of `vmThreads`.
        ...web,
        test: {
          ...web.test,
          name: 'web modules',
          pool: 'threads',
          include: ['src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pageTests],
          isolate: false,
        },
      },
    ],
    // Much of the server's tests is waiting: for the disk, for processes that start and end. Three workers keep two cores busy.
    maxWorkers: 3,
  },
});
