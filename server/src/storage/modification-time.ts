/**
 * The maximum difference between the modification time of a copy and that of its original. Times are set as a floating-point number of
 * seconds, which is rounded, and then cut off to microseconds by libuv: together less than 3 µs until the year 2486, the last one of XFS.
 */
const precisionNs = 4_000n;

/** Whether two modification times (Unix nanoseconds) are equal as far as a copy can have the time of its original. */
export function isSameTime(oneNs: bigint, otherNs: bigint): boolean {
  const difference = oneNs - otherNs;
  return difference < precisionNs && -difference < precisionNs;
}
