import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';

/** An error of the operating system as reported by Node. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'syscall' in error &&
  typeof error.syscall === 'string';

/**
 * Returns the account of this process, such as `filestead (101)`; only its number if the system has no name
 * for it.
 */
function thisAccount(): string {
  try {
    const { username, uid } = userInfo();
    return uid < 0 ? username : `${username} (${uid})`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Describes the owner and mode of a file that this process may not use; of its nearest visible parent if the
 * file itself cannot be seen.
 */
function accessText(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return accessText(dirname(path));
  const owner = found.uid === 0 ? 'root' : `user ${found.uid}`;
  return `${path} belongs to ${owner} (mode ${(found.mode & 0o777).toString(8)}) and this process runs as ${thisAccount()}; start it as the owner, or change the owner with chown`;
}

/** Like {@link accessText}, for a path that may be below an inaccessible folder. */
function deniedText(path: string): string {
  try {
    return `access is denied: ${accessText(path)}`;
  } catch {
    return path === dirname(path) ? 'access is denied' : deniedText(dirname(path));
  }
}

/** Explanations of the system's error codes for a file or folder. */
const meanings: Readonly<Record<string, (path: string) => string>> = {
  EACCES: deniedText,
  EPERM: deniedText,
  EROFS: () => 'the file system is read-only; choose a writable path',
  ENOSPC: () => 'the disk is full; free some space and start again',
  EDQUOT: () => 'the disk quota is used up; free some space and start again',
  ENOENT: () => 'it does not exist',
  ENOTDIR: () => 'a part of the path is a file instead of a folder',
  EEXIST: () => 'a file has the name of the folder',
  EISDIR: () => 'a file is needed, and this is a folder',
  ELOOP: () => 'the symbolic links of the path form a loop',
  ENAMETOOLONG: () => 'the path is too long',
  EMFILE: () => 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: () => 'too many files are open on this machine',
  EIO: () => 'the disk reports an error',
};

/** Names the unit that lets systemd open the port, on the systems that it exists for. */
const systemSocketText = process.platform === 'linux' ? ', or let systemd open it (filestead.socket)' : '';

function explainListening({ code, address = '', port = 0 }: SystemError): string | null {
  const isSocket = isAbsolute(address);
  const subject = isSocket ? `socket: ${address}` : `port ${port}`;
  if (code === 'EADDRINUSE') {
    return isSocket
      ? `${subject} is in use; stop the program that uses it, or choose another path with --socket`
      : `${subject}: another program uses it on ${address}; stop that, or choose another port with --port`;
  }
  if (code === 'EACCES' || code === 'EPERM') {
    if (isSocket) return `${subject}: ${thisAccount()} may not create it; choose another path with --socket`;
    return `${subject}: ${thisAccount()} may not open it; ports below 1024 are usually for root only. Choose a higher one, such as --port 8080${systemSocketText}`;
  }
  if (code === 'EADDRNOTAVAIL') {
    return `address: this machine does not have the address ${address}; choose another one with --address`;
  }
  return isSocket ? `${subject}: ${meanings[code]?.(address) ?? code}` : null;
}

/**
 * Explains an error at startup or of a command in one sentence for an administrator: system errors name the
 * file, port or address and say what to do; other errors keep their message.
 */
export function explainError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  const { code, syscall, path, message } = error;
  if (syscall === 'listen' || syscall === 'bind') return explainListening(error) ?? message;
  if (syscall === 'getaddrinfo') {
    const { hostname } = error as { hostname?: unknown };
    return `address: ${String(hostname)} cannot be found; choose another one with --address`;
  }
  const meaning = path === undefined ? undefined : meanings[code]?.(path);
  return meaning === undefined ? message : `${path}: ${meaning}`;
}

/**
 * Explains an error of a file or folder after its purpose: `data: /srv/x: the file system is read-only; …`.
 */
export const explainPath = (purpose: string, path: string, error: unknown): string => {
  const code = isSystemError(error) ? error.code : '';
  return `${purpose}: ${path}: ${meanings[code]?.(path) ?? (error instanceof Error ? error.message : 'it cannot be used')}`;
};
