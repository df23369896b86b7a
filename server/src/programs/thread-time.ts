import { readFileSync, readlinkSync } from 'node:fs';

/** Returns the kernel's id of this thread (gettid(2)), for {@link threadTimeMs}; null where the system does not report it. */
export function threadNumber(): number | null {
  try {
    // `PID/task/TID` (proc(5)).
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/** Returns the processor time that a thread of this process has used, in milliseconds; null where the system does not report it. */
export function threadTimeMs(thread: number): number | null {
  try {
    // The first field is the time on a processor in nanoseconds.
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ', 1);
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}
