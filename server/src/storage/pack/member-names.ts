/**
 * One name as it may stand in an archive on any system: a backslash separates folders on some, and a letter with a colon
 * in front is a drive there. Both become an underscore. Anything else stays.
 */
export const memberName = (name: string): string =>
  name.includes('\\') || name.includes(':') ? name.replaceAll('\\', '_').replace(/^([a-z]):/i, '$1_') : name;

/** The name that `name` gets in its folder: {@link memberName}, with a number when another entry has that name. */
export function freeMemberName(name: string, isTaken: (name: string) => boolean): string {
  const wanted = memberName(name);
  if (wanted === name) return name;
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? wanted : `${wanted}(${number})`;
    if (!isTaken(candidate)) return candidate;
  }
}
