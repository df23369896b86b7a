// npm run archive: packs the product with its own Node into filestead-VERSION-PLATFORM.tar.xz (.zip for Windows) in the current folder.
// node scripts/archive.mjs [PLATFORM…] [--to FOLDER] [--level 0…9]; the platforms are those of packaging/node.json.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archiveName } from './lib/manifests.mjs';
import { thisPlatform } from './lib/node-binary.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';
import {
  normalizeTree,
  packTree,
  sourceTime,
  stageProduct,
  stageShare,
  version,
} from './lib/stage-product.mjs';

/** Writes the contents of an archive into `folder`. */
async function stageArchive(folder, platform, seconds) {
  const isWindows = platform.startsWith('win');
  await stageProduct(join(folder, 'lib'), platform);
  const launcher = isWindows ? 'filestead.cmd' : 'filestead';
  copyFileSync(join(top, 'packaging', 'bin', launcher), join(folder, launcher));
  chmodSync(join(folder, launcher), 0o755);
  if (!isWindows) stageShare(join(folder, 'share'), seconds);
  copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(top, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(folder, 'lib', 'THIRD-PARTY-NOTICES.txt'), join(folder, 'NOTICES'));
  rmSync(join(folder, 'lib', 'THIRD-PARTY-NOTICES.txt'));
}

/** Creates the archive for one platform in `destination`. Returns its path. */
export async function archive(platform, destination, { level = 6, seconds = sourceTime() } = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'filestead-archive-'));
  try {
    const name = `filestead-${version}-${platform}`;
    await stageArchive(join(stage, name), platform, seconds);
    normalizeTree(stage, seconds);
    mkdirSync(destination, { recursive: true });
    const file = join(resolve(destination), archiveName(version, platform));
    await packTree(stage, name, file, { seconds, level });
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureInstalled();
  ensureBuilt();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, level: { type: 'string', default: '6' } },
  });
  const to = values.to ?? process.env.INIT_CWD ?? '.';
  for (const platform of positionals.length > 0 ? positionals : [thisPlatform]) {
    console.log(await archive(platform, to, { level: Number(values.level) }));
  }
}
