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

/** Builds the server into `outdir`. Throws for dependencies that would break in the bundle. Returns the result of esbuild. */
export async function buildServer(outdir = join(server, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  const result = await build({
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
      'preview-decoder': join(server, 'src', 'previews', 'decoder', 'decoder-process.ts'),
    },
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    banner,
    alias: Object.fromEntries(unused.map((name) => [name, join(top, 'scripts', 'lib', 'empty-module.mjs')])),
    // Comments and indentation are half of the text, which V8 keeps in memory. Names and line breaks stay for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'linked',
    sourcemap: true,
    logLevel: 'warning',
    absWorkingDir: top,
    plugins: [bundleChecks({ top, external })],
  });
  // The glue code of liblzma loads its WebAssembly from its own folder. It is a separate file so that users can replace it (LGPL).
  await copyFile(
    join(top, 'node_modules', 'node-liblzma', 'lib', 'wasm', 'liblzma.wasm'),
    join(outdir, 'liblzma.wasm'),
  );
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer(process.argv[2]);
