/** Where programs are looked for: fixed, so that neither the server's environment nor a folder of a user decides it. */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The whole environment of a user's command. `home` is nothing that a user could put settings of programs into. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  PATH: programPath,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});
