import { updateUser, type UserChange } from '@filestead/contract/users';
import { call } from './call.ts';

/** Returns the part of a request that confirms it with the user's own password, if the server requires that. */
export const confirmation = (currentPassword: string | undefined): { current_password?: string } =>
  currentPassword === undefined ? {} : { current_password: currentPassword };

/** Changes the fields of a user that are in `change`. Throws `ApiError`. */
export async function changeUser(id: number, change: UserChange, currentPassword?: string): Promise<void> {
  await call(updateUser, {
    params: { id: String(id) },
    body: {
      what: 'user',
      which: Object.keys(change),
      data: { ...change, id },
      ...confirmation(currentPassword),
    },
  });
}
