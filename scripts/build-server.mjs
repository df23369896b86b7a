// Bundles the server into server/dist: main.js, program.cjs with the server and the commands, and the scripts of threads and processes. Run by `npm run build`; takes another output folder as its argument.
import { readdirSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleChecks, requiredNamespace } from './lib/bundle-checks.mjs';

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
  js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
};

/** Options of all files. */
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

const configFolder = join(server, 'src', 'config');

/** Modules of the configuration that only the server needs; they use the library for schemas. */
const configOfServer = new Set(['auth-method.ts', 'captcha-service.ts']);

/** The modules that `main.js` needs before it loads `program.cjs`, which uses them too. They are in files of their own, so that they exist once. */
const configModules = readdirSync(configFolder).filter(
  (name) => name !== 'yaml.ts' && !name.endsWith('.test.ts') && !configOfServer.has(name),
);

/** Returns the file of the output that contains the module at `path`; undefined for modules that are in the importing file. */
function sharedFileOf(path) {
  if (path === join(server, 'src', 'program.ts')) return './program.cjs';
  if (path === join(configFolder, 'yaml.ts')) return './yaml.cjs';
  return configModules.some((name) => path === join(configFolder, name)) ? './config.cjs' : undefined;
}

/** Leaves modules out that are in one of the `files` of the output, which the output then loads. */
const withoutShared = (...files) => ({
  name: 'without-shared',
  setup({ onResolve }) {
    const load = (file) => (files.includes(file) ? { path: file, external: true } : undefined);
    onResolve({ filter: /^[.]{1,2}[/].*[.]ts$/ }, ({ kind, resolveDir, path }) =>
      kind === 'entry-point' ? undefined : load(sharedFileOf(join(resolveDir, path))),
    );
    onResolve({ filter: /^commander$/ }, () => load('./config.cjs'));
  },
});

/**
 * Loads `config.cjs` and the modules of Node from ES modules with `require`. For an `import` of the file, Node 20 would first examine its text for names, which
 * takes 40 ms; for that of a module of Node, Node reads all of its exports, which loads an HTTP client of 30 ms for `node:http`.
 */
const requireShared = {
  name: 'require-shared',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./, namespace: requiredNamespace }, ({ path }) => ({ path, external: true }));
    const load = (path) => ({ path, namespace: requiredNamespace });
    onResolve({ filter: /^[.]{1,2}[/].*[.]ts$/ }, ({ kind, resolveDir, path }) =>
      kind !== 'entry-point' && sharedFileOf(join(resolveDir, path)) === './config.cjs'
        ? load('./config.cjs')
        : undefined,
    );
    onResolve({ filter: /^commander$/ }, () => load('./config.cjs'));
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? load(path) : undefined,
    );
    onLoad({ filter: /./, namespace: requiredNamespace }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
  },
};

/** Options of files in CommonJS format. `import()` of packages becomes `require`. */
const commonJs = {
  ...commonOptions,
  format: 'cjs',
  // `import.meta.resolve` is used for development only.
  define: { 'import.meta.url': '__moduleUrl', 'import.meta.resolve': 'undefined' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  supported: { 'dynamic-import': false },
};

const withPlugin = (options, plugin) => ({ ...options, plugins: [plugin, ...options.plugins] });

/** Builds the server into `outdir`. Throws for dependencies that would break in the bundle. Returns the modules of all files (`inputs` of esbuild's metafile). */
export async function buildServer(outdir = join(server, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  // One file without chunks, because every command loads it, `healthcheck` every few seconds.
  const main = build({
    entryPoints: [join(server, 'src', 'main.ts')],
    outfile: join(outdir, 'main.js'),
    format: 'esm',
    banner,
    ...withPlugin(withPlugin(commonOptions, withoutShared('./program.cjs', './yaml.cjs')), requireShared),
  });
  const scripts = build({
    entryPoints: {
      'listing-worker': join(server, 'src', 'storage', 'listings', 'listing-worker.ts'),
      'observe-worker': join(server, 'src', 'storage', 'observe', 'observe-worker.ts'),
      'scan-worker': join(server, 'src', 'storage', 'disk', 'scan', 'scan-worker.ts'),
      'catalogue-worker': join(server, 'src', 'catalogue', 'catalogue-worker.ts'),
      'contents-worker': join(server, 'src', 'contents', 'contents-worker.ts'),
      'extract-worker': join(server, 'src', 'contents', 'extract-worker.ts'),
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
  });
  // One file, so that one code cache serves the whole start.
  const program = build({
    entryPoints: [join(server, 'src', 'program.ts')],
    outfile: join(outdir, 'program.cjs'),
    ...withPlugin(commonJs, withoutShared('./config.cjs', './yaml.cjs')),
  });
  const config = build({
    stdin: {
      contents: [
        "export { Command, CommanderError, Option } from 'commander';",
        ...configModules.map((name) => `export * from './${name}';`),
      ].join('\n'),
      resolveDir: configFolder,
      sourcefile: 'shared-config.ts',
      loader: 'ts',
    },
    outfile: join(outdir, 'config.cjs'),
    ...withPlugin(commonJs, withoutShared('./yaml.cjs')),
  });
  const yaml = build({
    entryPoints: [join(configFolder, 'yaml.ts')],
    outfile: join(outdir, 'yaml.cjs'),
    ...commonJs,
  });
  const built = await Promise.all([main, scripts, program, config, yaml]);
  // The glue code of liblzma loads its WebAssembly from its own folder. It is a separate file so that users can replace it (LGPL).
  await copyFile(
    join(top, 'node_modules', 'node-liblzma', 'lib', 'wasm', 'liblzma.wasm'),
    join(outdir, 'liblzma.wasm'),
  );
  return Object.assign({}, ...built.map(({ metafile }) => metafile.inputs));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer(process.argv[2]);
