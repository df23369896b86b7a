import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script, runInNewContext } from 'node:vm';
import { makePrivateFolder } from '../../database/adopt-owner.ts';

/** Time after the start at which the compiled code is stored and the memory of the start is released. */
const settleMs = 10_000;

const hashBytes = 32;

const hashOf = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/** Whether the file exists and only this account can have written it. */
function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}

/**
 * Reads compiled code of the source with the hash `source`. The file consists of two SHA-256 hashes, of the
 * source and of the code, and the code: V8 itself compares only versions and lengths. Returns undefined if the
 * file is missing, damaged, or of other sources.
 */
function readCode(path: string, source: Buffer): Buffer | undefined {
  if (!isOwn(path)) return undefined;
  const content = readFileSync(path);
  const code = content.subarray(2 * hashBytes);
  if (!content.subarray(0, hashBytes).equals(source)) return undefined;
  return content.subarray(hashBytes, 2 * hashBytes).equals(hashOf(code)) ? code : undefined;
}

/** Replaces the files in `folder` with one of compiled code; see {@link readCode}. */
function storeCode(folder: string, name: string, source: Buffer, code: Buffer): void {
  makePrivateFolder(folder);
  for (const other of readdirSync(folder)) rmSync(join(folder, other), { force: true });
  const temporary = join(folder, `${name}.${process.pid}.new`);
  writeFileSync(temporary, Buffer.concat([source, hashOf(code), code]), { mode: 0o600 });
  renameSync(temporary, join(folder, name));
}

/** Collects all garbage once. Node has no other interface for it while it runs. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

/**
 * Loads a bundle in CommonJS format with V8's code cache: the compiled code that an earlier process of the
 * same Node version has stored in `folder`. Without it, the code that this process compiles is stored once the
 * start is over, or when the process exits before. The cache only saves time, so its failures are ignored.
 *
 * It is our own code because Node 20 has no cache for modules (`module.enableCompileCache` appeared in 22.1);
 * see docs/decisions/0036-code-cache.md.
 */
export function requireCached(bundle: string, folder: string): unknown {
  const text = readFileSync(bundle);
  const source = hashOf(text);
  const name = `${process.version}-${process.arch}`;
  let cachedData: Buffer | undefined;
  try {
    cachedData = readCode(join(folder, name), source);
  } catch {
    // The code is compiled again.
  }
  const opening = '(function (exports, require, module, __filename, __dirname) {';
  const script = new Script(`${opening}${text.toString('latin1')}\n})`, {
    filename: bundle,
    columnOffset: -opening.length,
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} };
  const load = script.runInThisContext() as (...parameters: unknown[]) => void;
  load(module.exports, createRequire(bundle), module, bundle, dirname(bundle));

  let isStored = cachedData !== undefined && script.cachedDataRejected !== true;
  const store = (): void => {
    if (isStored) return;
    isStored = true;
    try {
      storeCode(folder, name, source, script.createCachedData());
    } catch {
      // The next start compiles again.
    }
  };
  process.once('exit', store);
  setTimeout(() => {
    store();
    collectGarbage();
  }, settleMs).unref();
  return module.exports;
}
