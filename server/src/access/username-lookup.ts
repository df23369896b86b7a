import type { UserContexts } from './user-contexts.ts';

/** Returns a function that looks up the name of a user, each only once; null for a user that no longer exists. */
export function usernameLookup(
  userContexts: Pick<UserContexts, 'find'>,
): (id: number) => Promise<string | null> {
  const names = new Map<number, Promise<string | null>>();
  return (id) => {
    let name = names.get(id);
    if (name === undefined) {
      name = userContexts.find(id).then((user) => user?.username ?? null);
      names.set(id, name);
    }
    return name;
  };
}
