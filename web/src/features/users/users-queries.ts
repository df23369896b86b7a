import { getSettings } from '@filestead/contract/settings';
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  listUserSizes,
  updateUser,
  type UserChange,
} from '@filestead/contract/users';
import { queryOptions } from '@tanstack/react-query';
import { call, send } from '../../api/call.ts';

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call(listUsers, { signal }),
});

/** The sizes of the users' folders by their ids. */
export const userSizesQuery = queryOptions({
  queryKey: ['user-sizes'],
  queryFn: async ({ signal }) =>
    new Map((await call(listUserSizes, { signal })).map((size) => [size.id, size])),
});

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) => call(getUser, { params: { id: String(id) }, signal }),
  });

/** The settings that the user form needs: the defaults, the global rules, the home folders. */
export const templateQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call(getSettings, { signal }),
});

/** The part of a request that confirms a change of users, if the server requires it. */
const confirmation = (currentPassword: string | undefined) =>
  currentPassword === undefined ? {} : { current_password: currentPassword };

/** Creates a user and returns the path of its page. Throws `ApiError`. */
export async function storeNewUser(data: UserChange, currentPassword?: string): Promise<string> {
  const response = await send(createUser, {
    body: { what: 'user', which: [], data, ...confirmation(currentPassword) },
  });
  return response.headers.get('Location') ?? '/settings/users';
}

/** Changes the fields in `change`. Throws `ApiError`. */
export async function storeUser(id: number, change: UserChange, currentPassword?: string): Promise<void> {
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

/** Deletes a user. Throws `ApiError`. */
export async function removeUser(id: number, currentPassword?: string): Promise<void> {
  await call(deleteUser, { params: { id: String(id) }, body: confirmation(currentPassword) });
}
