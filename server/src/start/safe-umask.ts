/** Whether new files would be writable by all users. */
const isWorldWritable = (umask: number): boolean => (umask & 0o002) === 0;

/** Replaces an inherited umask that would let all users write: the owner may write, others may read. */
const safeUmask = 0o022;

/**
 * Sets the umask of the process, which commands and hooks inherit: `chosen`, otherwise the inherited one
 * unless it would let all users write.
 */
export function setUmask(chosen: number | null): void {
  // The umask cannot be read without setting it.
  const inherited = process.umask(0o077);
  process.umask(chosen ?? (isWorldWritable(inherited) ? safeUmask : inherited));
}
