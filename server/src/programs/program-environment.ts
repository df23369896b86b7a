/**
 * Variables that specify the paths of programs and their files and the format of texts, times and paths. None is a
 * secret.
 */
const allowedNames = new Set(
  'PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE'.split(
    ' ',
  ),
);

/** Whether a variable is one of Filestead's own, which may contain the first administrator's password. */
const isOwn = (name: string): boolean => /^(?:FILESTEAD|FB)_/i.test(name);

/** Whether an administrator may pass the variable `name` on to programs. */
export const canPassOn = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !isOwn(name);

/**
 * Returns the environment of programs that the administrator configured (hooks and the sign-in program): of
 * the server's `environment` only the allow-listed variables, the locale (`LC_…`) and those named in
 * `passedOn`. Other variables may contain credentials or change how libraries are loaded.
 */
export function programEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  passedOn: readonly string[],
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const isAllowed = allowedNames.has(name) || /^LC_[A-Z]+$/.test(name) || passedOn.includes(name);
    if (isAllowed && !isOwn(name)) allowed[name] = value;
  }
  return allowed;
}
