import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// As with the journeys: what needed its second try on a shared machine is named in the summary of `npm test`.
const retry = process.env['CI'] ? 1 : 0;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/**/*.test.ts'],
          environment: 'node',
          retry,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          root: './web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: [join(import.meta.dirname, 'web', 'src', 'test-setup.ts')],
          css: { modules: { classNameStrategy: 'non-scoped' } },
          retry,
          testTimeout: 30_000,
        },
      },
    ],
    maxWorkers: 2,
  },
});
