import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  listUserSizes,
  type UserChange,
} from '@filestead/contract/users';
import { queryOptions } from '@tanstack/react-query';
import { call, send } from '../../api/call.ts';
import { confirmation } from '../../api/change-user.ts';

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

/** Creates a user and returns the path of its page. Throws `ApiError`. */
export async function storeNewUser(data: UserChange, currentPassword?: string): Promise<string> {
  const response = await send(createUser, {
    body: { what: 'user', which: [], data, ...confirmation(currentPassword) },
  });
  return response.headers.get('Location') ?? '/settings/users';
}

/** Deletes a user. Throws `ApiError`. */
export async function removeUser(id: number, currentPassword?: string): Promise<void> {
  await call(deleteUser, { params: { id: String(id) }, body: confirmation(currentPassword) });
}
