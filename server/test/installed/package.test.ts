import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';

const top = join(import.meta.dirname, '..', '..', '..');
const folder = inject('packageFolder');
const readText = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

interface Manifest {
  readonly engines: { readonly node: string };
  readonly bin: object;
  readonly scripts?: object;
  readonly dependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readText('package.json')) as Manifest;

test('the package has no install scripts, no source maps, and exact versions of its dependencies', () => {
  expect(manifest.scripts).toBeUndefined();
  expect(manifest.bin).toEqual({ filestead: 'bin/filestead.js' });
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const file of ['LICENSE', 'README.md', 'server/dist/liblzma.wasm', 'web/dist/index.html']) {
    expect(readText(file).length, file).toBeGreaterThan(100);
  }
  expect(() => readText('server', 'dist', 'main.js.map')).toThrow('ENOENT');
});

/** Starts the program as if this were another version of Node. */
const startWith = (version: string): Promise<{ status: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const script = `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      process.argv.splice(1, process.argv.length, 'filestead', 'version');
      require(${JSON.stringify(join(folder, 'bin', 'filestead.js'))});`;
    const child = execFile(inject('node'), ['-e', script], (_error, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    );
  });

test('the program reports the Node versions it needs, and starts with those of the manifest', async () => {
  expect(manifest.engines.node).toBe('>=22.15.0');
  for (const version of ['12.22.0', '18.20.8', '20.20.2', '21.7.3', '22.14.0']) {
    const { status, out, err } = await startWith(version);
    expect({ version, status, out }).toEqual({ version, status: 1, out: '' });
    expect(err).toContain(`Filestead needs Node 22.15 or newer; this is Node ${version}.`);
  }
  for (const version of ['22.15.0', '24.0.0', '26.0.0']) {
    expect(await startWith(version)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Filestead \d/) as string,
    });
  }
});

test('the page contains production versions of its libraries', () => {
  const file = join(top, 'node_modules', '.cache', 'filestead-web-modules.json');
  const modules = JSON.parse(readFileSync(file, 'utf8')) as string[];
  expect(modules.filter((path) => path.endsWith('.development.js'))).toEqual([]);
});

test('the notices name every package of the web build and every installed package', () => {
  const notices = readText('THIRD-PARTY-NOTICES.txt');
  const file = join(top, 'node_modules', '.cache', 'filestead-web-modules.json');
  const modules = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const names = modules.map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  expect(new Set(names).size).toBeGreaterThan(30);
  for (const name of new Set([
    ...names,
    ...Object.keys(manifest.dependencies),
    'fastify',
    'bcryptjs',
    'node-liblzma',
  ])) {
    expect(notices).toMatch(
      new RegExp(`^${name.replaceAll(/[/.]/g, String.raw`\$&`)} \\d+\\.\\d+\\.\\d+\\S*: `, 'm'),
    );
  }
  expect(notices).toContain('UNICODE LICENSE V3');
  expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
});

test('an unknown license is rejected, and an allowed one is chosen among alternatives', async () => {
  const { licensesOf } = (await import(pathToFileURL(join(top, 'scripts', 'notices.mjs')).href)) as {
    licensesOf(expression: string): string[] | null;
  };
  expect(licensesOf('MIT')).toEqual(['MIT']);
  expect(licensesOf('(MPL-2.0 OR Apache-2.0)')).toEqual(['Apache-2.0']);
  expect(licensesOf('Apache-2.0 AND LGPL-3.0-or-later')).toEqual(['Apache-2.0', 'LGPL-3.0-or-later']);
  for (const other of ['AGPL-3.0', 'MIT AND SSPL-1.0', 'SEE LICENSE IN x', ''])
    expect(licensesOf(other)).toBeNull();
});

test('healthcheck and version load neither the bundle of the server nor the modules for TLS and fetch', async () => {
  const report = `process.on('exit', () => {
    const files = Object.keys(require('node:module')._cache).map((file) => require('node:path').basename(file));
    const modules = process.moduleLoadList.map((name) => name.replace(/^NativeModule /, ''));
    console.error(JSON.stringify([...files, ...modules]));
  });`;
  for (const args of [['version'], ['healthcheck', '--port', '1', '--data', join(folder, 'none')]]) {
    const loaded = await new Promise<string[]>((resolve) => {
      const script = `${report} process.argv.splice(1, process.argv.length, 'filestead', ...${JSON.stringify(args)});
        require(${JSON.stringify(join(folder, 'bin', 'filestead.js'))});`;
      execFile(inject('node'), ['-e', script], (_error, _out, err) =>
        resolve(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '') as string[]),
      );
    });
    expect(loaded).toContain('config.cjs');
    for (const heavy of ['program.cjs', 'internal/deps/undici/undici', 'tls']) {
      expect(loaded, args[0]).not.toContain(heavy);
    }
  }
});
