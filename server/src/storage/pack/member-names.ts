/**
 * A name that is safe in an archive on any system. On some systems a backslash separates folders and a letter with a colon
 * denotes a drive: both become an underscore. Nothing else is changed.
 */
export const memberName = (name: string): string =>
  name.includes('\\') || name.includes(':') ? name.replaceAll('\\', '_').replace(/^([a-z]):/i, '$1_') : name;

/** The archive name of the entry `name`: {@link memberName}, with a number when another entry of its folder has that name. */
export function freeMemberName(name: string, isTaken: (name: string) => boolean): string {
  const safeName = memberName(name);
  if (safeName === name) return name;
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? safeName : `${safeName}(${number})`;
    if (!isTaken(candidate)) return candidate;
  }
}
