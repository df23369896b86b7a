// npm run image: builds the container image filestead:VERSION with buildah. Requires root, apt-get and buildah.
// node scripts/image.mjs [--arch amd64|arm64] [--context FOLDER]; with --context it only creates the build context for other programs.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { debianPlatforms } from './lib/node-binary.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';
import { runProgram, runSlowProgram } from './lib/run-program.mjs';
import { normalizeTree, sourceTime, stageProduct, version } from './lib/stage-product.mjs';

const source = join(top, 'packaging', 'image');

/** Writes the build context of the image into `folder`. */
export async function stageImage(folder, { architecture = 'amd64', seconds = sourceTime() } = {}) {
  mkdirSync(join(folder, 'root'), { recursive: true });
  runProgram('sh', [join(source, 'root.sh'), join(folder, 'root'), architecture]);
  await stageProduct(join(folder, 'app', 'lib'), debianPlatforms[architecture]);
  copyFileSync(join(top, 'packaging', 'bin', 'filestead'), join(folder, 'app', 'filestead'));
  chmodSync(join(folder, 'app', 'filestead'), 0o755);
  for (const name of ['Dockerfile', 'entrypoint.sh']) cpSync(join(source, name), join(folder, name));
  chmodSync(join(folder, 'entrypoint.sh'), 0o755);
  normalizeTree(folder, seconds);
  chmodSync(join(folder, 'root', 'tmp'), 0o1777);
}

const buildah = ['--storage-driver', 'vfs'];

/** Builds the image from a build context. Returns its name. */
export async function buildImage(context, options = {}) {
  const { architecture = 'amd64', seconds = sourceTime(), name = `filestead:${version}` } = options;
  await runSlowProgram('buildah', [
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
}

/** Builds the image. Returns its name. */
export async function image(options = {}) {
  const context = mkdtempSync(join(tmpdir(), 'filestead-image-'));
  try {
    await stageImage(context, options);
    return await buildImage(context, options);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Replaces the configuration of an unpacked image with one that lacks the name and the identifier of the container that built it. */
function removeContainerNames(folder) {
  const [manifest] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const config = JSON.parse(readFileSync(join(folder, manifest.Config), 'utf8'));
  delete config.container;
  delete config.container_config;
  delete config.config.Hostname;
  const text = JSON.stringify(config);
  const name = `${createHash('sha256').update(text).digest('hex')}.json`;
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify([{ ...manifest, Config: name }]));
  return ['manifest.json', name, ...manifest.Layers];
}

/** Makes the image as a file that `docker load` reads, in the folder `destination`. Returns its path. */
export async function imageArchive(destination, { architecture = 'amd64', level = 6 } = {}) {
  const file = join(resolve(destination), `filestead-${version}-image-${architecture}.tar`);
  const seconds = sourceTime();
  // The images of several architectures may be made at the same time.
  const name = await image({ architecture, seconds, name: `filestead:${version}-${architecture}` });
  const stage = mkdtempSync(join(tmpdir(), 'filestead-image-'));
  try {
    const saved = join(stage, 'image.tar');
    runProgram('buildah', [
      ...buildah,
      'push',
      '--quiet',
      name,
      `docker-archive:${saved}:filestead:${version}`,
    ]);
    runProgram('tar', ['-xf', saved, '-C', stage]);
    const files = removeContainerNames(stage);
    const options = [`--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=0644'];
    runProgram('tar', ['--format=gnu', ...options, '-cf', file, '-C', stage, ...files]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
    runProgram('buildah', [...buildah, 'rmi', '--force', name]);
  }
  // Without the name and time of the file, which gzip stores by default.
  await runSlowProgram('gzip', ['--force', '--no-name', `-${Math.max(level, 1)}`, file]);
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
