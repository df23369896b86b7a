/** The search path of programs. It is fixed, so that neither the server's environment nor a user's folder can change it. */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns the complete environment of a user's command. `home` must not contain files that a user can write. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  PATH: programPath,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});
