import * as contract from '@filestead/contract/users';
import type { FastifyInstance } from 'fastify';
import { TooManyAttempts } from '../access/attempt-limiter.ts';
import { publicUser } from '../access/callers.ts';
import { AppError } from '../http/app-error.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Call, Route } from '../http/route.ts';
import { checkCurrentPassword } from './check-current-password.ts';
import { createUser } from './create-user.ts';
import { updateUser } from './update-user.ts';
import type { UserParts } from './user-parts.ts';

type UserWrite = Pick<Call<typeof contract.deleteUser>, 'caller' | 'request' | 'reply'>;

/** Users as administrators manage them, and one's own profile. */
export function registerUsers(app: FastifyInstance, { route, ...parts }: UserParts & { route: Route }): void {
  const { users, callers, endSessions } = parts;

  const checkPassword = async (
    { caller, request, reply }: UserWrite,
    password: string | undefined,
  ): Promise<void> => {
    try {
      await checkCurrentPassword(
        parts,
        { userId: caller.user.id, address: clientAddress(request) },
        password,
      );
    } catch (error) {
      if (error instanceof TooManyAttempts) reply.header('retry-after', error.retryAfterSeconds);
      throw error;
    }
  };

  route(app, contract.listUsers, async () => (await users.list()).map(publicUser));

  route(app, contract.createUser, async ({ caller, request, reply, body }) => {
    if (body.which.length > 0) throw new AppError('bad_request', 'which: a new user is created whole');
    await checkPassword({ caller, request, reply }, body.current_password);
    const user = await createUser(parts, body.data);
    reply.header('location', `/settings/users/${user.id}`);
    return undefined;
  });

  route(app, contract.getUser, async ({ caller, params }) => {
    const found = await users.find(Number(params.id));
    if (found === null) throw new AppError('not_found');
    const user = publicUser(found);
    return caller.user.perm.admin ? user : { ...user, scope: '' };
  });

  route(app, contract.updateUser, async ({ caller, request, reply, params, body }) => {
    await checkPassword({ caller, request, reply }, body.current_password);
    await updateUser(parts, caller, Number(params.id), body);
    return undefined;
  });

  route(app, contract.deleteUser, async ({ caller, request, reply, params, body }) => {
    await checkPassword({ caller, request, reply }, body?.current_password);
    const id = Number(params.id);
    await users.remove(id);
    callers.forget(id);
    await endSessions(id);
    return undefined;
  });
}
