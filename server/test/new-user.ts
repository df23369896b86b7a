import { initialSettings } from '../src/access/global-settings.ts';
import type { NewUser } from '../src/database/database.ts';

/** A user without a password, as the repository takes it, with deny rules for the paths `denied`. */
export const newUser = (username: string, scope: string, denied: readonly string[] = []): NewUser => ({
  ...initialSettings().defaults,
  username,
  passwordHash: '',
  scope,
  lockPassword: false,
  viewMode: 'list',
  rules: denied.map((path) => ({ regex: false, allow: false, path, regexp: null })),
});
