import { initialSettings } from '../src/access/global-settings.ts';
import type { NewUser } from '../src/database/database.ts';

/** Returns a user without a password for the repository, with deny rules for the paths `denied`. */
export const newUser = (username: string, scope: string, denied: readonly string[] = []): NewUser => ({
  ...initialSettings().defaults,
  username,
  passwordHash: '',
  scope,
  lockPassword: false,
  viewMode: 'list',
  rules: denied.map((path) => ({ regex: false, allow: false, path, regexp: null })),
});
