import type { AuditChannel } from '@filestead/contract/audit';
import type { LetterCase } from '@filestead/contract/match-rules';
import type { FastifyInstance } from 'fastify';
import {
  type AttemptLimiter,
  type AttemptLimits,
  openAttemptLimiter,
} from '../../access/sign-in/attempt-limiter.ts';
import { type SignInMethod, hasLoginPage } from '../../config/auth-method.ts';
import type { AuthMethodName } from '../../config/auth-method-names.ts';
import type { UserContexts } from '../../access/user-contexts.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { openCaptcha } from '../../access/sign-in/captcha.ts';
import { grantConfirmedScope, warnOfDefaultScope } from '../../access/default-scope.ts';
import type { GlobalSettings } from '../../access/global-settings.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { trustedPeers } from '../../http/request/client-address.ts';
import { route } from '../../http/server/route.ts';
import { registerSessions } from '../../sessions/routes.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { openSignIn } from '../../sessions/sign-in.ts';
import { registerSettings } from '../../settings/routes.ts';
import type { Storage } from '../../storage/storage.ts';
import { openAccounts } from '../../users/accounts.ts';
import { registerSignUp, registerUsers } from '../../users/routes.ts';
import { checkCurrentPassword } from '../../users/check-current-password.ts';

/** Authentication methods by their names in the audit log. */
const signInChannels: Readonly<Record<AuthMethodName, AuditChannel>> = {
  json: 'password',
  proxy: 'proxy',
  hook: 'program',
  noauth: 'noauth',
};

/** Sign-ups from all addresses together are limited to this multiple of the limit per address. */
const signUpAddresses = 20;

const signUpLimits = ({
  signupsPerAddress,
  signupWindowMs,
}: Pick<Config, 'signupsPerAddress' | 'signupWindowMs'>): AttemptLimits => ({
  perAddress: signupsPerAddress,
  perName: Number.POSITIVE_INFINITY,
  inTotal: signupsPerAddress * signUpAddresses,
  windowMs: signupWindowMs,
});

/** Registers the features about accounts: signing in and up, users and settings. */
export function registerAccounts(
  app: FastifyInstance,
  parts: {
    database: Database;
    storage: Storage;
    letterCase: LetterCase;
    settings: GlobalSettings;
    userContexts: UserContexts;
    sessions: Sessions;
    limiter: AttemptLimiter;
    catalogue: Pick<Catalogue, 'isOn' | 'totals' | 'letterCases'>;
    /** Unix milliseconds. */
    now: () => number;
    config: Pick<
      Config,
      'baseUrl' | 'trustedProxies' | 'passedVariables' | 'signupsPerAddress' | 'signupWindowMs'
    >;
    signIn: SignInMethod;
    onPasswordReplaced: ((formerHash: string) => Promise<void>) | undefined;
  },
): void {
  const { database, storage, settings, userContexts, sessions, limiter, now, config } = parts;
  const { users } = database;
  const { signIn: method } = parts;
  warnOfDefaultScope(method, settings.current, app.log);
  const hasPasswords = method.method === 'json';
  const captcha = openCaptcha(method.recaptcha, app.log, now);
  const userParts = {
    users,
    userContexts,
    settings,
    limiter,
    hasPasswords,
    createFolder: storage.createFolder.bind(storage),
    entryExists: async (path: Parameters<Storage['stat']>[0]) => (await storage.stat(path)) !== null,
    endSessions: sessions.endAllOf.bind(sessions),
    onPasswordReplaced: parts.onPasswordReplaced,
  };
  const accounts = openAccounts(userParts);
  const signIn = openSignIn({
    method,
    passedVariables: config.passedVariables,
    users,
    accounts,
    limiter,
    captcha,
    isTrustedPeer: trustedPeers(config.trustedProxies),
  });
  registerSessions(app, {
    route,
    sessions,
    userContexts,
    signIn,
    recordSignIn: (userId, at) => users.recordSignIn(userId, at),
    hasLoginPage: hasLoginPage(method),
    channel: signInChannels[method.method],
    now,
    baseUrl: config.baseUrl,
  });
  registerUsers(app, { route, catalogue: parts.catalogue, ...userParts });
  registerSignUp(app, {
    route,
    accounts,
    users,
    settings,
    captcha,
    limiter: openAttemptLimiter(signUpLimits(config)),
    hasPasswords,
  });
  registerSettings(app, {
    route,
    settings,
    authMethod: method.method,
    letterCase: parts.letterCase,
    confirm: (requester, change) => checkCurrentPassword(userParts, requester, change),
    async grantConfirmedScope() {
      for (const id of await grantConfirmedScope(settings.current, userParts)) userContexts.forget(id);
      warnOfDefaultScope(method, settings.current, app.log);
    },
  });
}
