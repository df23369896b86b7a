import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Maximum number of times the state of a stopped process is read; it stops within microseconds. */
const maxStateReads = 1_000;

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
}

/** Child processes of `pid`, read once it is stopped; empty if the system does not report them. */
function childrenOf(pid: number): number[] {
  try {
    for (let look = 0; look < maxStateReads; look += 1) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The state follows the name, which is in parentheses and may contain any character.
      if ('TZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))) break;
    }
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return children.split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

/**
 * Kills a program with its process group, and its children in other groups. A sandbox is such a child: while
 * it is being set up it does not yet end with the program that started it.
 */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  if (exitCode === null && signalCode === null) {
    // A stopped program cannot start further children while they are listed.
    signalTo(-pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) signalTo(child, 'SIGKILL');
  }
  signalTo(-pid, 'SIGKILL');
}
