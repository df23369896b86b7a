/** Everybody may write what is made. */
const letsAllWrite = (umask: number): boolean => (umask & 0o002) === 0;

/** Used in the place of an inherited umask by which everybody could write: owners write, the rest read. */
const safeUmask = 0o022;

/**
 * Sets the umask of the process, which its commands and hooks inherit: `chosen`, or else the inherited one unless everybody
 * could write what is made with it.
 */
export function setUmask(chosen: number | null): void {
  // There is no way to read it without setting it.
  const inherited = process.umask(0o077);
  process.umask(chosen ?? (letsAllWrite(inherited) ? safeUmask : inherited));
}
