// Bundles the server into server/dist: main.js and the scripts of its threads and processes. Run by `npm run build`; takes another output folder as its argument.
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleChecks } from './lib/bundle-checks.mjs';

const top = fileURLToPath(new URL('..', import.meta.url));
const server = join(top, 'server');

/** Packages with native parts or WebAssembly: they are not bundled but loaded from node_modules. */
export const external = [
  'bzip2-wasm',
  'lz4-napi',
  'snappy',
  '@photostructure/sqlite',
  '@node-rs/argon2',
  'sharp',
  'heic-decode',
];

/** Packages that Fastify would need for JSON schemas only, which `app.ts` does not use. An empty module takes their place. */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/** CommonJS packages in an ES module bundle expect a `require`. */
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

/** Options of both bundles. */
const commonOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external,
  alias: Object.fromEntries(unused.map((name) => [name, join(top, 'scripts', 'lib', 'empty-module.mjs')])),
  // Comments and indentation are half of the text, which V8 keeps in memory. Names and line breaks stay for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'linked',
  sourcemap: true,
  logLevel: 'warning',
  absWorkingDir: top,
  plugins: [bundleChecks({ top, external })],
};

/** Leaves the code of the server out of the command line: `load-server.ts` loads it as a bundle of its own. */
const withoutServer = {
  name: 'without-server',
  setup({ onResolve }) {
    onResolve({ filter: /\/serve\.ts$/ }, () => ({ path: './serve.cjs', external: true }));
  },
};

/** Builds the server into `outdir`. Throws for dependencies that would break in the bundle. Returns the modules of both bundles (`inputs` of esbuild's metafile). */
export async function buildServer(outdir = join(server, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  const scripts = await build({
    entryPoints: {
      main: join(server, 'src', 'main.ts'),
      'listing-worker': join(server, 'src', 'storage', 'listings', 'listing-worker.ts'),
      'observe-worker': join(server, 'src', 'storage', 'observe', 'observe-worker.ts'),
      'scan-worker': join(server, 'src', 'storage', 'disk', 'scan', 'scan-worker.ts'),
      'catalogue-worker': join(server, 'src', 'catalogue', 'catalogue-worker.ts'),
      'ring-worker': join(server, 'src', 'storage', 'disk', 'ring', 'ring-worker.ts'),
      'checksum-worker': join(server, 'src', 'storage', 'checksums', 'checksum-worker.ts'),
      'pack-worker': join(server, 'src', 'storage', 'pack', 'pack-worker.ts'),
      'bcrypt-worker': join(server, 'src', 'access', 'sign-in', 'bcrypt-worker.ts'),
      'compress-worker': join(server, 'src', 'archives', 'compress-worker.ts'),
      'decompress-worker': join(server, 'src', 'archives', 'decoding', 'decompress-worker.ts'),
      'preview-decoder': join(server, 'src', 'previews', 'decoder', 'decoder-process.ts'),
    },
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    banner,
    ...commonOptions,
    plugins: [withoutServer, ...commonOptions.plugins],
  });
  // One file, so that one code cache serves the whole start. `import()` of packages becomes `require`.
  const served = await build({
    entryPoints: { serve: join(server, 'src', 'serve.ts') },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // `import.meta.resolve` is used for development only.
    define: { 'import.meta.url': '__moduleUrl', 'import.meta.resolve': 'undefined' },
    banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    supported: { 'dynamic-import': false },
    ...commonOptions,
  });
  // The glue code of liblzma loads its WebAssembly from its own folder. It is a separate file so that users can replace it (LGPL).
  await copyFile(
    join(top, 'node_modules', 'node-liblzma', 'lib', 'wasm', 'liblzma.wasm'),
    join(outdir, 'liblzma.wasm'),
  );
  return { ...scripts.metafile.inputs, ...served.metafile.inputs };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer(process.argv[2]);
