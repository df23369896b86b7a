// Builds or serves the page with all parts of the interface (`npm run kitchen-sink`). Not part of the product.
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { texts } from '../texts-plugin.ts';
import { showStates } from './show-states.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [react(), texts()],
  css: { postcss: { plugins: [showStates] } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'kitchen-sink'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1' },
});
