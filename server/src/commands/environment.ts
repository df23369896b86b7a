/** Where programs are looked for: fixed, so that neither the server's environment nor a folder of a user decides it. */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The whole environment of a user's command. `home` is nothing that a user could put settings of programs into. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  PATH: programPath,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});

const secretName = /PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|CREDENTIAL|API_?KEY|PRIVATE_?KEY/i;

/**
 * The server's environment for programs that its administrator has chosen: without our own configuration (it may hold the
 * first password), without what is named like a secret, and without options meant for this Node process.
 */
export function withoutSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || /^(?:FILESTEAD|FB|NODE)_/.test(name) || secretName.test(name)) continue;
    kept[name] = value;
  }
  return kept;
}
