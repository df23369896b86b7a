import { readFileSync, readdirSync } from 'node:fs';

/** Whether a program with this word on its command line runs on the machine. */
export const isRunning = (word: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    });
