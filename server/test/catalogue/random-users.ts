import type { Random } from '../random.ts';
import type { TestUser } from '../start-app.ts';
import type { TreeEntry } from './random-tree.ts';

/** The maximum number of files that one user deletes. */
const maxDeletions = 3;

/** A user of the test with random scope and rules. */
export interface RandomUser extends TestUser {
  readonly scope: string;
  readonly hideDotfiles: boolean;
  readonly rules: NonNullable<TestUser['rules']>;
  /** The entries that the user has tagged while there were no rules. */
  readonly tagged: readonly TreeEntry[];
}

const isBelow = (names: readonly string[], folder: readonly string[]): boolean =>
  names.length > folder.length && folder.every((name, i) => names[i] === name);

/** Returns for each user files in their scope that they delete while there are no rules; none that is tagged. */
export function randomDeletions(
  random: Random,
  users: readonly RandomUser[],
  tree: readonly TreeEntry[],
): Map<RandomUser, readonly TreeEntry[]> {
  const tagged = new Set(users.flatMap((user) => user.tagged));
  const free = new Set(tree.filter((entry) => entry.kind === 'file' && !tagged.has(entry)));
  const deletions = new Map<RandomUser, readonly TreeEntry[]>();
  for (const user of users) {
    const scope = user.scope === '/' ? [] : user.scope.slice(1).split('/');
    const own = [...free].filter(({ names }) => isBelow(names, scope)).filter(() => random.below(10) === 0);
    const chosen = own.slice(0, maxDeletions);
    for (const entry of chosen) free.delete(entry);
    deletions.set(user, chosen);
  }
  return deletions;
}

/** Returns a user with random scope and rules. */
export function randomUser(random: Random, index: number, tree: readonly TreeEntry[]): RandomUser {
  const folders = tree.filter(({ kind }) => kind === 'folder');
  const scopeNames = random.below(2) === 0 || folders.length === 0 ? [] : random.pick(folders).names;
  const inside = tree.filter(({ names }) => scopeNames.every((name, i) => names[i] === name));
  const rule = (): NonNullable<TestUser['rules']>[number] => {
    const allow = random.below(3) === 0;
    if (random.below(4) === 0 || inside.length === 0)
      return {
        allow,
        regex: true,
        regexp: { raw: random.pick(['secret', '\\.pdf$', '^/docs', 'old/', '\\.env$', 'M.ller']) },
      };
    return { allow, path: `/${random.pick(inside).names.slice(scopeNames.length).join('/')}` };
  };
  /** Rules that deny a folder and allow an entry below it, which can be opened but is in no listing from the root. */
  const exception = (): NonNullable<TestUser['rules']> => {
    const denied = inside.filter(({ kind }) => kind === 'folder');
    if (denied.length === 0) return [];
    const { names: folder } = random.pick(denied);
    const below = inside.filter(({ names }) => isBelow(names, folder));
    if (below.length === 0) return [];
    const pathOf = (names: readonly string[]): string => `/${names.slice(scopeNames.length).join('/')}`;
    return [{ path: pathOf(folder) }, { path: pathOf(random.pick(below).names), allow: true }];
  };
  return {
    username: `user-${index}`,
    scope: `/${scopeNames.join('/')}`,
    hideDotfiles: random.below(2) === 0,
    rules: [...Array.from({ length: random.below(5) }, rule), ...(random.below(3) === 0 ? exception() : [])],
    tagged: inside
      .filter(({ names, kind }) => kind !== 'link' && names.length > scopeNames.length)
      .filter(() => random.below(8) === 0),
  };
}

/** The last matching rule decides; without one everything is allowed. Independent of the product's compiled rules. */
export function allows({ rules }: RandomUser, path: string): boolean {
  let allowed = true;
  for (const { regex, regexp, path: text = '', allow = false } of rules) {
    const matches = (spelling: string): boolean =>
      regex === true
        ? new RegExp(regexp?.raw ?? '', 's').test(spelling)
        : text !== '' && (text === '/' || spelling === text || spelling.startsWith(`${text}/`));
    if (regex !== true || allow ? matches(path) : [path, path.normalize('NFD')].some(matches))
      allowed = allow;
  }
  return allowed;
}

/** Whether an entry is a link to a denied place, also through other links: listings and searches leave it out. */
export function isLinkToDenied(
  user: RandomUser,
  tree: readonly TreeEntry[],
  { names, target }: TreeEntry,
): boolean {
  if (target === undefined || target.startsWith('/')) return false;
  const scope = user.scope === '/' ? 0 : user.scope.slice(1).split('/').length;
  const folder = names.slice(0, -1);
  const to = target === '..' ? folder.slice(0, -1) : [...folder, target];
  if (!allows(user, `/${to.slice(scope).join('/')}`)) return true;
  const next = tree.find((entry) => entry.names.join('/') === to.join('/'));
  // A link to itself leads nowhere.
  return next !== undefined && to.join('/') !== names.join('/') && isLinkToDenied(user, tree, next);
}

/** The entries below a folder of a user that a walk from that folder would show. */
export function walkAs(user: RandomUser, tree: readonly TreeEntry[], folder: readonly string[]): TreeEntry[] {
  const scope = user.scope === '/' ? [] : user.scope.slice(1).split('/');
  const top = [...scope, ...folder];
  return tree.filter(({ names }) => {
    if (names.length <= top.length || !top.every((name, i) => names[i] === name)) return false;
    for (let length = top.length + 1; length <= names.length; length++) {
      const part = names.slice(scope.length, length);
      if (user.hideDotfiles && (part.at(-1) ?? '').startsWith('.')) return false;
      if (!allows(user, `/${part.join('/')}`)) return false;
    }
    return true;
  });
}
