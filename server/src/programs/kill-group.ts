import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How often the state of a stopped process is read at most; it stops within microseconds. */
const maxLooks = 1_000;

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

/** The processes that `pid` has started and that are left, once it is stopped; none where the system does not report them. */
function childrenOf(pid: number): number[] {
  try {
    for (let look = 0; look < maxLooks; look += 1) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The state follows the name, which is in brackets and may contain any character.
      if ('TZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))) break;
    }
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return children.split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

/**
 * Kills a program and all that it has started within its process group, and its children in other groups. A sandbox is such a
 * child: while it is being set up it does not yet end with the program that starts it.
 */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  if (exitCode === null && signalCode === null) {
    // A stopped program starts nothing more while its children are counted.
    signalTo(-pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) signalTo(child, 'SIGKILL');
  }
  signalTo(-pid, 'SIGKILL');
}
