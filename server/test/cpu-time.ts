function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the processor time in milliseconds that `work` takes. Other programs on a busy machine do not count. */
export function cpuTimeMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return sinceMs(before);
}

/** As {@link cpuTimeMs} for asynchronous work, such as requests to a server in this process: all its threads count. */
export async function cpuTimeOfMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return sinceMs(before);
}
