// Measures the parts of `npm test`: their time, and how busy the machine was.
import { readFileSync } from 'node:fs';

/** Returns the times of all processors since the start of the machine, in ticks: `null` on a system without `/proc/stat`. */
function readProcessors() {
  try {
    // proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; time of guests is part of `user`.
    const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].trim().split(/\s+/);
    const [user, nice, system, idle, iowait, irq, softirq, stolen] = ticks.map(Number);
    const busy = user + nice + system + irq + softirq;
    return { busy, stolen, all: busy + idle + iowait + stolen };
  } catch {
    return null;
  }
}

/**
 * Starts to measure a part of a run. The returned function reports how long it took, and how busy the machine was: a slow machine is
 * busy or has its time taken by others (`stolen`), a part that waits is not.
 */
export function startStopwatch() {
  const startMs = performance.now();
  const before = readProcessors();
  return () => {
    const minutes = `${((performance.now() - startMs) / 60_000).toFixed(1)} min`;
    const after = readProcessors();
    if (!before || !after) return minutes;
    const percent = (name) =>
      `${Math.round((100 * (after[name] - before[name])) / (after.all - before.all))} %`;
    return `${minutes}, processors ${percent('busy')} busy, ${percent('stolen')} stolen`;
  };
}
