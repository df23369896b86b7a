// npm run image: builds the container image filestead:VERSION with buildah. Requires root, apt-get and buildah.
// node scripts/image.mjs [--arch amd64|arm64] [--context FOLDER]; with --context it only creates the build context for other programs.
import { copyFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { normaliseTree, runTool, sourceTime, stageProduct, version } from './archive.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';

const platforms = { amd64: 'linux-x64', arm64: 'linux-arm64' };
const source = join(top, 'packaging', 'image');

/** Writes the build context of the image into `folder`. */
export async function stageImage(folder, { architecture = 'amd64', seconds = sourceTime() } = {}) {
  mkdirSync(join(folder, 'root'), { recursive: true });
  runTool('sh', [join(source, 'root.sh'), join(folder, 'root'), architecture]);
  await stageProduct(join(folder, 'app', 'lib'), platforms[architecture]);
  copyFileSync(join(top, 'packaging', 'bin', 'filestead'), join(folder, 'app', 'filestead'));
  chmodSync(join(folder, 'app', 'filestead'), 0o755);
  for (const name of ['Dockerfile', 'entrypoint.sh']) cpSync(join(source, name), join(folder, name));
  chmodSync(join(folder, 'entrypoint.sh'), 0o755);
  normaliseTree(folder, seconds);
  chmodSync(join(folder, 'root', 'tmp'), 0o1777);
}

const buildah = ['--storage-driver', 'vfs'];

/** Builds the image. Returns its name. */
export async function image(options = {}) {
  const { architecture = 'amd64', seconds = sourceTime() } = options;
  const context = mkdtempSync(join(tmpdir(), 'filestead-image-'));
  const name = `filestead:${version}`;
  try {
    await stageImage(context, { ...options, seconds });
    runTool('buildah', [
      ...buildah,
      'bud',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--arch',
      architecture,
      '--timestamp',
      String(seconds),
      '--tag',
      name,
      context,
    ]);
    return name;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Makes the image as a file that `docker load` and `podman load` read, in the folder `destination`. Returns its path. */
export async function imageArchive(destination, { architecture = 'amd64', level = 6 } = {}) {
  const file = join(resolve(destination), `filestead-${version}-image-${architecture}.tar`);
  const name = await image({ architecture });
  try {
    rmSync(file, { force: true });
    runTool('buildah', [...buildah, 'push', '--quiet', name, `docker-archive:${file}:${name}`]);
  } finally {
    runTool('buildah', [...buildah, 'rmi', '--force', name]);
  }
  // Without the name and time of the file, which gzip stores by default.
  runTool('gzip', ['--force', '--no-name', `-${Math.max(level, 1)}`, file]);
  return `${file}.gz`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureInstalled();
  ensureBuilt();
  const { values } = parseArgs({
    options: { arch: { type: 'string', default: 'amd64' }, context: { type: 'string' } },
  });
  if (values.context === undefined) console.log(await image({ architecture: values.arch }));
  else await stageImage(values.context, { architecture: values.arch });
}
