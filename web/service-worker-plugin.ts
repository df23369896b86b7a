import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const source = join(import.meta.dirname, 'service-worker', 'sw.ts');

/** Bundles the service worker as one script without imports that knows the files of its build. */
async function bundleWorker(assets: readonly string[], entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: 'warn',
    define: { builtAssets: JSON.stringify(assets), builtEntry: JSON.stringify(entry) },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const built of outputs) {
    if (!('output' in built)) continue;
    const [chunk] = built.output;
    return chunk.code;
  }
  throw new Error('the service worker has no output');
}

/** Writes the service worker beside the page as `sw.js`: its address determines its scope. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const entry = files.find((file) => file.type === 'chunk' && file.isEntry);
      if (!entry) throw new Error('the page has no script');
      const assets = files
        .map(({ fileName }) => fileName)
        .filter((name) => name.startsWith('static/assets/'))
        .toSorted();
      const code = await bundleWorker(assets, entry.fileName);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: code });
    },
  };
}
