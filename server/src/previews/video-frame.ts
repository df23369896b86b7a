import { spawn } from 'node:child_process';
import { killGroup } from '../programs/kill-group.ts';
import { boxPx, maxFrameBytes, maxVideoPixels, videoTimeoutMs } from './limits.ts';

/** Takes a picture out of a video; null when it has none, or when the helper program is missing. */
export type TakeFrame = (descriptor: number, signal: AbortSignal) => Promise<Buffer | null>;

/** The descriptor of the video in the helper program. */
const videoDescriptor = 3;
const videoAddress = `/dev/fd/${videoDescriptor}`;

/**
 * The containers that may be opened. None of them sends the reader to other files or addresses, as playlists and
 * descriptions of streams would.
 */
const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,m4v,h264,hevc,mjpeg,mxf,rm,dv';

/** Looks for the frame after so many seconds, as the first ones are often black; then at the beginning. */
const startsSeconds = [3, 0];

const commandOf = (startSeconds: number): string[] => [
  '-nostdin',
  '-v',
  'error',
  '-threads',
  '1',
  '-max_alloc',
  String(512 * 1024 * 1024),
  '-max_pixels',
  String(maxVideoPixels),
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  containers,
  '-probesize',
  String(16 * 1024 * 1024),
  '-analyzeduration',
  '5000000',
  // Whole pictures only: what follows them is made from what came before.
  '-skip_frame',
  'nokey',
  '-ss',
  String(startSeconds),
  '-i',
  `file:${videoAddress}`,
  '-map',
  '0:V:0',
  '-frames:v',
  '1',
  '-an',
  '-sn',
  '-dn',
  '-map_metadata',
  '-1',
  '-filter_threads',
  '1',
  '-vf',
  // Square pixels first, then into the box without enlarging.
  `scale=w='max(1,trunc(iw*if(sar,sar,1)))':h=ih,setsar=1,scale=w='min(iw,${boxPx.big})':h='min(ih,${boxPx.big})':force_original_aspect_ratio=decrease`,
  '-threads',
  '1',
  '-c:v',
  'mjpeg',
  '-q:v',
  '2',
  '-f',
  'image2pipe',
  'pipe:1',
];

/** A view of the system in which there is nothing but programs and libraries, and no network. */
const sandbox = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--clearenv',
  ...['/usr', '/lib', '/lib32', '/lib64', '/bin', '/etc/ld.so.cache', '/etc/alternatives', '/nix'].flatMap(
    (path) => ['--ro-bind-try', path, path],
  ),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--tmpfs',
  '/tmp',
  '--',
];

interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
}

/** Runs a helper program without a shell, within the limits of time and output. Code null: it is missing, or was ended. */
function runHelper(
  program: string,
  args: readonly string[],
  descriptor: number | 'ignore',
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore', descriptor],
      // A group of its own, so that all it has started ends with it.
      detached: true,
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    const end = (): void => killGroup(child);
    const timer = setTimeout(end, videoTimeoutMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    child.stdout?.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxFrameBytes) end();
      else pieces.push(piece);
    });
    const settle = (code: number | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve({ code, output: Buffer.concat(pieces) });
    };
    child.once('error', () => settle(null));
    child.once('close', settle);
  });
}

/** The helper program with what has to stand before its arguments; null when there is none. */
interface Helper {
  readonly program: string;
  readonly before: readonly string[];
}

async function findHelper(programs: HelperPrograms): Promise<Helper | null> {
  const { signal } = new AbortController();
  if (programs.bubblewrap !== null) {
    const before = [...sandbox, programs.ffmpeg];
    const { code } = await runHelper(programs.bubblewrap, [...before, '-version'], 'ignore', signal);
    if (code === 0) return { program: programs.bubblewrap, before };
  }
  const { code } = await runHelper(programs.ffmpeg, ['-version'], 'ignore', signal);
  return code === 0 ? { program: programs.ffmpeg, before: [] } : null;
}

/** The names of the helper programs; without bubblewrap the limits of ffmpeg itself have to do. */
export interface HelperPrograms {
  readonly ffmpeg: string;
  readonly bubblewrap: string | null;
}

/**
 * Takes frames with the system's ffmpeg, inside bubblewrap where that works. The program gets the open file and no name; it
 * may open nothing else. It is looked for when the first video is asked for.
 */
export function createTakeFrame(
  programs: HelperPrograms = { ffmpeg: 'ffmpeg', bubblewrap: 'bwrap' },
): TakeFrame {
  let looking: Promise<Helper | null> | null = null;
  return async (descriptor, signal) => {
    const helper = await (looking ??= findHelper(programs));
    if (helper === null) return null;
    for (const start of startsSeconds) {
      signal.throwIfAborted();
      const args = [...helper.before, ...commandOf(start)];
      const { code, output } = await runHelper(helper.program, args, descriptor, signal);
      if (code === 0 && output.length > 0) return output;
      // Ended for being slow, or because nobody waits: another attempt would end the same way.
      if (code === null) break;
    }
    signal.throwIfAborted();
    return null;
  };
}
