import { ConfigError } from '../config/config-error.ts';

/** The first file descriptor passed by a service manager, according to systemd's protocol (sd_listen_fds). */
const firstDescriptor = 3;

/**
 * Returns the file descriptor of the socket that the service manager passed to this process; null if there is
 * none. Throws {@link ConfigError} for several sockets.
 */
export function inheritedSocket(
  { LISTEN_PID, LISTEN_FDS }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | null {
  if (LISTEN_PID !== String(pid) || LISTEN_FDS === undefined || LISTEN_FDS === '0') return null;
  if (LISTEN_FDS !== '1') {
    throw new ConfigError(`LISTEN_FDS: ${LISTEN_FDS} sockets were passed on; the server listens on one`);
  }
  return firstDescriptor;
}
