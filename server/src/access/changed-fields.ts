/** Text fields whose value is not secret and is recorded. */
const shownTexts = new Set([
  'username',
  'scope',
  'defaults.scope',
  'confirmedDefaultScope',
  'userHomeBasePath',
]);

/** Fields of a stored user that are not recorded. */
const unrecordedUserFields = ['id', 'password', 'changedAt', 'lastSignInAt'];

/** Whether a value of a new record is the empty default. */
const isNothing = (value: unknown): boolean =>
  value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the leaves of a record by path, such as `perm.admin`; a list is one leaf. */
function leavesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

/**
 * Returns the paths at which `after` differs from `before`, for the audit log: `perm.admin=true`. Booleans, numbers
 * and scopes are recorded with their new value, other fields by path only; paths in `hidden` are omitted. Of a new
 * record (`before` without the path) only values other than the default are recorded.
 */
export function changedFields(before: object, after: object, hidden: readonly string[] = []): string[] {
  const former = new Map(leavesOf(before));
  return leavesOf(after).flatMap(([path, value]) => {
    if (hidden.includes(path)) return [];
    const isSame = former.has(path)
      ? JSON.stringify(former.get(path)) === JSON.stringify(value)
      : isNothing(value);
    if (isSame) return [];
    if (path === 'passwordHash') return ['password'];
    const isShown =
      typeof value === 'boolean' ||
      typeof value === 'number' ||
      (typeof value === 'string' && shownTexts.has(path));
    return [isShown ? `${path}=${String(value)}` : path];
  });
}

/** As {@link changedFields}, for stored users; `before` is `{}` for a new one. */
export const changedUserFields = (before: object, after: object): string[] =>
  changedFields(before, after, unrecordedUserFields);
