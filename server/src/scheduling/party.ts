/**
 * Takes turns with others. The path leads from the widest group to the one who asks: `['user 5']`, or
 * `['visitors', 'link h', 'address a']`. Members of a group share its turn and its places.
 */
export type Party = readonly string[];

/** The group of all who have no account. */
const visitors = 'visitors';

/** A user, whichever session asks. */
export const userParty = (userId: number): Party => [`user ${userId}`];

/** A visitor of a link. All visitors share one turn, then all of one link, then all from one network. */
export const visitorParty = (link: string, network: string): Party => [
  visitors,
  `link ${link}`,
  `address ${network}`,
];

/** The part of a limit that applies at each level of a party's path: one address leaves room for others on the same link. */
const narrowing = [1, 3 / 4, 1 / 2];

/** `limit` for the group at `level` of a party's path, at least 1. */
export const limitAt = (limit: number, level: number): number =>
  Math.max(1, Math.ceil(limit * (narrowing[level] ?? 1 / 2)));

/**
 * The most of `places` that a group may hold at once: visitors together half, anybody else three quarters, and never the last
 * place where there are several, so that somebody else who comes can begin at once.
 */
export function shareOf(group: string, places: number): number {
  const share = group === visitors ? 1 / 2 : 3 / 4;
  return Math.max(1, Math.min(Math.ceil(places * share), places - 1));
}
