import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { missingLibrary, startDecoder } from '../../previews/decoder/decoder.ts';
import { defaultWatchFolders } from '../../storage/observe/folder-watches.ts';
import { attempt } from './attempt.ts';
import { type Finding, passed, failed } from './finding.ts';

/** Number of open files below which many connections at once can fail. */
const fewFiles = 4_096;
/** Number of watched folders below which the default is too small for several users, and the limit that is recommended then. */
const fewWatches = 512;
const enoughWatches = 131_072;
/** Oldest major version of Node that receives security updates. */
const oldestSupportedNode = 22;

/** Checks the version of Node. */
export function checkNode(version: string): Finding[] {
  const [major = 0] = version.split('.').map(Number);
  if (major >= oldestSupportedNode) return [passed('node', `Node ${version}`)];
  const text = `Node ${version} no longer receives security updates; Node 24 is recommended`;
  return [passed('node', text, 'info')];
}

/** Checks the limit of open files; nothing on systems that do not report it. */
export function checkOpenFiles(): Finding[] {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return [];
  }
  const [, soft = ''] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  if (soft === 'unlimited' || Number(soft) >= fewFiles) return [passed('files', `up to ${soft} open files`)];
  const text = `at most ${soft} files can be open: many connections at once will fail`;
  return [failed('warn', 'files', text, 'ulimit -n 65536, or LimitNOFILE=65536 in the unit')];
}

/** Checks how many folders can be watched for changes; nothing on systems that do not report it. */
export function checkWatches({ watchFolders }: Pick<Config, 'watchFolders'>, limit: number): Finding[] {
  if (limit === Number.POSITIVE_INFINITY) return [];
  const raise = `sysctl fs.inotify.max_user_watches=${enoughWatches}`;
  const count = watchFolders ?? defaultWatchFolders(limit);
  if (count > limit) {
    const text = `--watchFolders is ${count}, but the operating system allows ${limit}: further ones are compared with the disk at intervals instead`;
    return [failed('warn', 'watches', text, raise)];
  }
  if (watchFolders === undefined && count < fewWatches) {
    const text = `only ${count} folders are watched for changes: further ones are compared with the disk at intervals instead`;
    return [failed('warn', 'watches', text, raise)];
  }
  return [passed('watches', `up to ${count} folders are watched for changes`)];
}

/** A picture with one pixel. */
const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const decodeTrialMs = 10_000;

/** Starts the process that makes thumbnails. It needs a native library, which not every platform has. */
export async function checkPictures({
  makesThumbnails,
  makesBigPictures,
}: Pick<Config, 'makesThumbnails' | 'makesBigPictures'>): Promise<Finding[]> {
  if (!makesThumbnails && !makesBigPictures) {
    return [passed('pictures', 'not needed: thumbnails and previews of pictures are disabled', 'info')];
  }
  const decoder = startDecoder();
  try {
    const request = {
      kind: 'png',
      size: 'thumb',
      isForBrowser: true,
      orientation: null,
      part: null,
    } as const;
    const { json } = await decoder.run(request, smallPicture, decodeTrialMs);
    if (json.outcome === 'made')
      return [passed('pictures', 'thumbnails and previews of pictures can be made')];
  } catch {
    // Reported below: the process could not start.
  } finally {
    decoder.end();
  }
  return [failed('warn', 'pictures', missingLibrary.text, missingLibrary.fix)];
}

/** Checks ffmpeg, which takes frames of videos. */
export async function checkFfmpeg(path: string): Promise<Finding[]> {
  const output = await attempt('ffmpeg', ['-version'], path);
  if (output === null)
    return [passed('ffmpeg', 'not installed: videos have no thumbnails. apt install ffmpeg', 'info')];
  return [passed('ffmpeg', output.split(/ Copyright|\n/, 1)[0] ?? '')];
}

/** Starts bubblewrap, which isolates users' commands. */
export async function checkSandbox(config: Config, path: string): Promise<Finding[]> {
  if (!config.isExecEnabled) return [passed('sandbox', 'not needed: commands are disabled', 'info')];
  if (config.isExecUnsandboxed) {
    const text = 'commands of users run without a sandbox, with all privileges of the server';
    return [failed('warn', 'sandbox', text, 'remove --execUnsandboxed')];
  }
  const isolation = ['--unshare-all', '--unshare-user', '--die-with-parent', '--cap-drop', 'ALL'];
  const trial = [...isolation, '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', 'true'];
  if ((await attempt('bwrap', trial, path)) !== null) return [passed('sandbox', 'bubblewrap works')];
  const isInstalled = (await attempt('bwrap', ['--version'], path)) !== null;
  const text = `bubblewrap ${isInstalled ? 'is installed but cannot start' : 'is not installed'}: commands of users are refused`;
  const fix = isInstalled
    ? 'allow user namespaces; with systemd, use the drop-in commands.conf beside the unit'
    : 'apt install bubblewrap';
  return [failed('error', 'sandbox', text, fix)];
}
