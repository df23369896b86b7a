/** Modification times of copies are set with this precision, because they pass through a floating-point number. */
const precisionNs = 1_000n;

/** Whether two modification times (Unix nanoseconds) are equal as far as a copy can have the time of its original. */
export function isSameTime(oneNs: bigint, otherNs: bigint): boolean {
  const difference = oneNs - otherNs;
  return difference < precisionNs && -difference < precisionNs;
}
