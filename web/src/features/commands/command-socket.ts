import { runCommand } from '@filestead/contract/commands';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { urlOf } from '../../api/call.ts';
import { renewToken } from '../../api/signed-request.ts';

/** How a command ended for the page. `unreachable`: it never began. `lost`: the connection broke. */
export type CommandEnd = 'done' | 'unreachable' | 'lost';

/** The close codes that tell that the server ended the connection with the command (RFC 6455 §7.4.1). */
const isNormal = (code: number): boolean => code === 1000 || code === 1005;

/**
 * Runs `line` in `folder`. The session's cookie says who asks, so that no token is in the address. `onLines` gets
 * lines that the program prints, and a function to call once they are dealt with: the server holds a flood back until then.
 * The returned function stops it; then `onEnd` is not called.
 */
export function startCommand(
  folder: VirtualPath,
  line: string,
  {
    onLines,
    onEnd,
  }: { onLines: (lines: string[], confirm: () => void) => void; onEnd: (end: CommandEnd) => void },
): () => void {
  const address = new URL(
    urlOf(runCommand, { path: folder, isFolder: true, query: { blocks: 'true' } }),
    window.location.href,
  );
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address);
  const watching = new AbortController();
  const { signal } = watching;
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
      // The browser does not say why: when the session has ended, this call signs out.
      if (end !== 'done') renewToken().catch(() => undefined);
      onEnd(end);
    },
    { signal },
  );
  return () => {
    watching.abort();
    socket.close();
  };
}
