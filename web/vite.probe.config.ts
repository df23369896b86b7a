// Builds the listing alone over generated entries, for the browser tests (e2e/listing.spec.ts) and its benchmark. Not
// part of the product.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { texts } from './texts-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [react(), texts()],
  build: {
    outDir: 'dist/probe',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    reportCompressedSize: false,
    rolldownOptions: { input: 'listing-probe.html' },
  },
});
