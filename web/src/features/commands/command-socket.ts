import { runCommand } from '@filestead/contract/commands';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { urlOf } from '../../api/call.ts';
import { renewToken } from '../../api/signed-request.ts';

/** The way in which a command ended. `unreachable`: it never started. `lost`: the connection broke. */
export type CommandEnd = 'done' | 'unreachable' | 'lost';

/** Whether a close code means that the command has ended (RFC 6455 §7.4.1). */
const isNormal = (code: number): boolean => code === 1000 || code === 1005;

/**
 * Runs `line` in `folder`. The session's cookie authenticates, so that no token is in the URL. `onLines` gets the
 * printed lines, and a function to call once they are processed; until then the server limits further output. The
 * returned function stops the command; then `onEnd` is not called.
 */
export function startCommand(
  folder: VirtualPath,
  line: string,
  {
    onLines,
    onEnd,
  }: { onLines: (lines: string[], confirm: () => void) => void; onEnd: (end: CommandEnd) => void },
): () => void {
  const url = new URL(
    urlOf(runCommand, { path: folder, isFolder: true, query: { blocks: 'true' } }),
    window.location.href,
  );
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  const listening = new AbortController();
  const { signal } = listening;
  let isOpen = false;
  socket.addEventListener(
    'open',
    () => {
      isOpen = true;
      socket.send(line);
    },
    { signal },
  );
  const confirm = (): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send('');
  };
  socket.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => onLines(String(data).split('\n'), confirm),
    { signal },
  );
  socket.addEventListener(
    'close',
    ({ code }) => {
      const end = isOpen ? (isNormal(code) ? 'done' : 'lost') : 'unreachable';
      // Browsers do not report the status of a failed connection. If the session has ended, this call signs out.
      if (end !== 'done') renewToken().catch(() => undefined);
      onEnd(end);
    },
    { signal },
  );
  return () => {
    listening.abort();
    socket.close();
  };
}
