/** Returns the processor time in milliseconds that `work` takes. Other programs on a busy machine do not count. */
export function cpuTimeMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
