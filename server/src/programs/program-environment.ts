/** Variables that say where programs and their files are and how to write texts, times and paths; none is a secret. */
const allowedNames = new Set(
  'PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE'.split(
    ' ',
  ),
);

/** Our own variables; one of them may hold the first administrator's password. */
const isOwn = (name: string): boolean => /^(?:FILESTEAD|FB)_/i.test(name);

/** Whether `name` is a variable that an administrator may pass on to programs. */
export const canPassOn = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !isOwn(name);

/**
 * The environment of programs that the administrator has chosen (hooks and the sign-in program): of `environment`, which is
 * the server's own, the allow-listed variables, the locale (`LC_…`) and those named in `passedOn`. Nothing else of the
 * server's environment reaches a program: it may hold credentials, or steer the loading of libraries.
 */
export function programEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  passedOn: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const isAllowed = allowedNames.has(name) || /^LC_[A-Z]+$/.test(name) || passedOn.includes(name);
    if (isAllowed && !isOwn(name)) kept[name] = value;
  }
  return kept;
}
