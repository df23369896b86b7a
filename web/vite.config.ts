import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { coreNamespaces } from './src/i18n/namespaces.ts';
import { firstScreens } from './first-screens.ts';
import { precompress } from './precompress.ts';
import { serviceWorker } from './service-worker-plugin.ts';

/** Where `npm run dev` finds the server. */
const devServer = process.env['FILESTEAD_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

const vendor =
  /node_modules\/(?:react|react-dom|scheduler|react-router|i18next|react-i18next|html-parse-stringify|use-sync-external-store|zod|zustand)\//u;

const ours = /\/(?:web|contract)\/src\/.*[.]tsx?$|node_modules\/lucide-react\//u;
const coreTexts = new RegExp(`/i18n/locales/([^/]+)/(?:${coreNamespaces.join('|')})[.]json$`, 'u');

export default defineConfig({
  root: import.meta.dirname,
  // Links relative to where a file lies: the server only completes those of the page, so that one build works below any
  // base URL.
  base: './',
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    serviceWorker(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()` and `:has()`; for older ones the tokens would be rewritten so that a dark
    // part within a light page stays light.
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    manifest: true,
    assetsDir: 'static/assets',
    // The page's policy allows no data: scripts; fonts and icons are better cached than repeated in a sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every screen needs and what changes only with a dependency: one file that stays cached over releases.
          groups: [
            { name: 'vendor', test: vendor },
            // The texts of the first page in one language: one file as well.
            {
              debugName: 'texts',
              name: (id) => `texts-${coreTexts.exec(id)?.[1] ?? ''}`,
              test: coreTexts,
            },
            { debugName: 'first screens', name: firstScreens(), test: ours },
          ],
        },
      },
    },
    // Measured by the bench instead, compressed as it is sent.
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': devServer, '/health': devServer },
  },
});
