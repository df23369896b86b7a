// An esbuild plugin that fails the build for dependencies that work from their sources but break in the bundle.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Packages that `ws` uses when they are installed; it works without them, and Filestead does not install them. */
const optionalPackages = new Set(['bufferutil', 'utf-8-validate']);

/** Bundles that others load as files, see `build-server.mjs`. */
const ownBundles = new Set(['./program.cjs', './config.cjs', './yaml.cjs']);

/** Namespace of modules that load another bundle with `require`. They are not files. */
export const requiredNamespace = 'required';

/** Modules that locate the script of a worker for log transports, which Filestead does not use. */
const withUnusedDirname = [
  /node_modules\/pino\/lib\/transport[.]js$/,
  /node_modules\/thread-stream\/index[.]js$/,
];

/** Packages that read files from their own folder, which `build-server.mjs` copies into the bundle. */
const withCopiedFiles = [/node_modules\/node-liblzma\/lib\/wasm\//];

/** Whether the code, without its comments, matches the pattern. */
function codeMatches(path, pattern) {
  const source = readFileSync(path, 'utf8');
  if (!pattern.test(source)) return false;
  const { code } = transformSync(source, {
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return pattern.test(code);
}

/** Matches code that uses the location of its own file, which differs in the bundle. */
const ownLocation = /\b__(?:dirname|filename)\b|\bimport\.meta\.(?:url|dirname|filename)\b/;

function* faultsOf({ inputs }, { top, external }) {
  for (const [path, { imports, format }] of Object.entries(inputs)) {
    for (const imported of imports) {
      if (imported.external) {
        const isExternal = external.some((name) => `${imported.path}/`.startsWith(`${name}/`));
        const isInstalled =
          isExternal || optionalPackages.has(imported.path) || ownBundles.has(imported.path);
        if (!isInstalled && !isBuiltin(imported.path) && imported.path !== '<runtime>') {
          yield `${path} needs ${imported.path}, which is neither bundled nor installed with the product`;
        }
      } else if (imported.kind === 'dynamic-import' && inputs[imported.path]?.format === 'cjs') {
        yield `${path} imports the CommonJS package “${imported.original}” dynamically: in the bundle it has a default export only. Import it by name in a module of its own and load that module dynamically (see server/src/config/yaml.ts)`;
      }
    }
    const isKnown = [...withUnusedDirname, ...withCopiedFiles].some((pattern) => pattern.test(path));
    const isFile = !path.startsWith(`${requiredNamespace}:`);
    const isForeign = isFile && (format === 'cjs' || path.includes('node_modules/'));
    if (isForeign && !isKnown && codeMatches(join(top, path), ownLocation)) {
      yield `${path} uses the location of its own file, which differs in the bundle`;
    }
  }
}

/**
 * Fails the build for a dynamic import of a bundled CommonJS module, for an import that is neither bundled, built into Node nor in
 * `external`, and for bundled packages that read files from their own folder. `top` is the folder that esbuild's paths are relative to.
 */
export const bundleChecks = ({ top, external }) => ({
  name: 'bundle-checks',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => ({
      errors: metafile ? [...faultsOf(metafile, { top, external })].map((text) => ({ text })) : [],
    }));
  },
});
