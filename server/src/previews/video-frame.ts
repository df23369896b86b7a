import { spawn } from 'node:child_process';
import { killGroup } from '../programs/kill-group.ts';
import { boxPx, maxFrameBytes, maxVideoPixels, videoTimeoutMs } from './limits.ts';

/** Extracts a picture from a video; null when it contains none or the external program is missing. */
export type ExtractFrame = (descriptor: number, signal: AbortSignal) => Promise<Buffer | null>;

/** File descriptor of the video in the external program. */
const videoDescriptor = 3;
const videoAddress = `/dev/fd/${videoDescriptor}`;

/**
 * The allowed container formats. None of them can refer to other files or addresses, as playlists and stream
 * descriptions can.
 */
const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,m4v,h264,hevc,mjpeg,mxf,rm,dv';

/** Positions of the frame: after three seconds, because the first frames are often black; otherwise at the beginning. */
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
  // Key frames only, because the others depend on previous frames.
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
  // Scales to square pixels first, then into the box without enlarging.
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

/** Arguments of bubblewrap: only programs and libraries are visible, and there is no network. */
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

interface HelperResult {
  readonly code: number | null;
  readonly output: Buffer;
}

/**
 * Runs an external program without a shell, with limits of time and output. The code is null when it is missing or was
 * killed.
 */
function runHelper(
  program: string,
  args: readonly string[],
  descriptor: number | 'ignore',
  signal: AbortSignal,
): Promise<HelperResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore', descriptor],
      // A new process group, so that child processes can be killed, too.
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

/** The external program, with the arguments before those of a request. */
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

/** The names of the external programs. Without bubblewrap only the restrictions of ffmpeg itself apply. */
export interface HelperPrograms {
  readonly ffmpeg: string;
  readonly bubblewrap: string | null;
}

/**
 * Extracts frames with the installed ffmpeg, inside bubblewrap if that works. The program gets an open file descriptor
 * and may open nothing else. It is searched for at the first request for a video; without it `onMissing` is called at each request.
 */
export function createExtractFrame({
  programs = { ffmpeg: 'ffmpeg', bubblewrap: 'bwrap' },
  onMissing = () => undefined,
}: { programs?: HelperPrograms; onMissing?: () => void } = {}): ExtractFrame {
  let search: Promise<Helper | null> | null = null;
  return async (descriptor, signal) => {
    const helper = await (search ??= findHelper(programs));
    if (helper === null) {
      onMissing();
      return null;
    }
    for (const start of startsSeconds) {
      signal.throwIfAborted();
      const args = [...helper.before, ...commandOf(start)];
      const { code, output } = await runHelper(helper.program, args, descriptor, signal);
      if (code === 0 && output.length > 0) return output;
      // Killed because of the time limit or because the client disconnected; another attempt would end the same way.
      if (code === null) break;
    }
    signal.throwIfAborted();
    return null;
  };
}
