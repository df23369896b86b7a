import { signup } from '@filestead/contract/sessions';
import * as contract from '@filestead/contract/users';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../access/accounts.ts';
import { changedUserFields } from '../access/changed-fields.ts';
import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import { publicUser } from '../access/user-contexts.ts';
import type { Captcha } from '../access/sign-in/captcha.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Call, Route } from '../http/server/route.ts';
import { checkCurrentPassword } from './check-current-password.ts';
import { createUser } from './create-user.ts';
import { listUserSizes } from './list-user-sizes.ts';
import { signUp } from './sign-up.ts';
import { fieldsOf, updateUser } from './update-user.ts';
import type { UserDependencies } from './dependencies.ts';

type UserWrite = Pick<Call<typeof contract.deleteUser>, 'userContext' | 'request'>;

/** The user as shown to administrators. */
const managedUser = (stored: StoredUser): contract.ManagedUser => ({
  ...publicUser(stored),
  lastSignIn: stored.lastSignInAt,
  awaitsScope: stored.awaitsScope,
});

/** Registers the management of users, and of one's own profile. */
export function registerUsers(
  app: FastifyInstance,
  {
    route,
    catalogue,
    ...parts
  }: UserDependencies & { route: Route; catalogue: Pick<Catalogue, 'isOn' | 'totals' | 'letterCases'> },
): void {
  const { users, userContexts, endSessions } = parts;

  const checkPassword = async (
    { userContext, request }: UserWrite,
    password: string | undefined,
    needsConfirmation: boolean,
  ): Promise<void> => {
    const requester = { userId: userContext.user.id, address: clientAddress(request) };
    await checkCurrentPassword(parts, requester, { password, needsConfirmation });
  };

  route(app, contract.listUsers, async () => (await users.list()).map(managedUser));

  route(app, contract.listUserSizes, async () => listUserSizes(await users.list(), catalogue));

  route(app, contract.createUser, async ({ userContext, request, reply, body }) => {
    if (body.which.length > 0) throw new AppError('bad_request', 'which: must be empty for a new user');
    await checkPassword({ userContext, request }, body.current_password, true);
    request.audit.target.user = { id: null, name: body.data.username ?? null };
    const user = await createUser(parts, body.data);
    request.audit.target.user = { id: user.id, name: user.username };
    request.audit.changed = changedUserFields({}, user);
    reply.header('location', `/settings/users/${user.id}`);
    return undefined;
  });

  route(app, contract.getUser, async ({ userContext, params }) => {
    const found = await users.find(Number(params.id));
    if (found === null) throw new AppError('not_found');
    return userContext.user.perm.admin ? managedUser(found) : { ...publicUser(found), scope: '' };
  });

  route(app, contract.updateUser, async ({ userContext, request, params, body }) => {
    const fields = fieldsOf(body.which);
    const needsConfirmation =
      fields === 'all' || fields.some((field) => contract.confirmedFields.includes(field));
    await checkPassword({ userContext, request }, body.current_password, needsConfirmation);
    const before = await users.find(Number(params.id));
    if (before !== null) request.audit.target.user = { id: before.id, name: before.username };
    const updated = await updateUser(parts, userContext, Number(params.id), body);
    request.audit.changed = changedUserFields(before ?? {}, updated);
    return undefined;
  });

  route(app, contract.deleteUser, async ({ userContext, request, params, body }) => {
    await checkPassword({ userContext, request }, body?.current_password, true);
    const id = Number(params.id);
    const former = await users.find(id);
    if (former !== null) request.audit.target.user = { id, name: former.username };
    await users.remove(id);
    userContexts.forget(id);
    await endSessions(id);
    return undefined;
  });
}

/** Registers sign-up for visitors. */
export function registerSignUp(
  app: FastifyInstance,
  parts: {
    route: Route;
    accounts: Accounts;
    users: UserDependencies['users'];
    settings: UserDependencies['settings'];
    captcha: Captcha;
    limiter: AttemptLimiter;
    /** Whether users sign in with their own passwords. */
    hasPasswords: boolean;
  },
): void {
  const assertSignUpEnabled = (): void => {
    if (!parts.settings.current.signup || !parts.hasPasswords) throw new AppError('method_not_allowed');
  };
  parts.route(
    app,
    signup,
    async ({ body, request }) => {
      request.audit.actor = { name: body.username };
      const user = await signUp(parts, { ...body, address: clientAddress(request) });
      request.audit.target.user = { id: user.id, name: user.username };
      request.audit.changed = changedUserFields({}, user);
      return undefined;
    },
    { before: assertSignUpEnabled },
  );
}
