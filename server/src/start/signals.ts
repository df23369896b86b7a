import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import type { RunningServer } from './start-server.ts';

const standardDescriptors = [0, 1, 2];

/**
 * Replaces standard streams of a closed terminal with the null device. Otherwise writing to them fails, and some
 * versions of Node abort when they restore the mode of the terminal on exit.
 */
function releaseTerminal(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) {
    closeSync(descriptor);
    // The lowest free number is the one that was just closed.
    openSync(devNull, 'r+');
  }
}

/**
 * Handles the signals of a service manager: TERM and INT stop the server, gracefully at the first and
 * immediately at the second. HUP runs `reload` without interrupting transfers; on a terminal, where it means
 * that the terminal was closed, it stops the server.
 * @param graceMs how long running transfers may continue after the signal to stop
 */
export function handleSignals(
  server: RunningServer,
  log: Logger,
  { graceMs, reload }: { graceMs: number; reload: () => void },
): void {
  // Determined now: a terminal that was closed is no longer recognized.
  const onTerminal = standardDescriptors.filter(isatty);
  const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(exitCodes[signal]);
    isStopping = true;
    server.stop(graceMs).then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.fatal({ err: error }, 'the server did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', (signal) => {
    if (onTerminal.includes(0)) {
      if (!isStopping) releaseTerminal(onTerminal);
      stop(signal);
    } else if (!isStopping) {
      reload();
    }
  });
}
