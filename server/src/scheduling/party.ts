/**
 * Identifies the client on whose behalf a task waits in a queue. The path goes from the widest group to the
 * narrowest: `['user 5']`, or `['visitors', 'share h', 'address a']`. Members of a group share its turn and
 * its slots.
 */
export type Party = readonly string[];

/** The group of all visitors. */
const visitors = 'visitors';

/** A user with all their sessions. */
export const userParty = (userId: number): Party => [`user ${userId}`];

/** A visitor of a share. All visitors share one turn, then all of one share, then all of one network. */
export const visitorParty = (share: string, network: string): Party => [
  visitors,
  `share ${share}`,
  `address ${network}`,
];

/**
 * Fraction of a limit at each level of a party's path, so that one address leaves room for others on the same
 * share.
 */
const narrowing = [1, 3 / 4, 1 / 2];

/** Returns `limit` for the group at `level` of a party's path, at least 1. */
export const limitAt = (limit: number, level: number): number =>
  Math.max(1, Math.ceil(limit * (narrowing[level] ?? 1 / 2)));

/**
 * Maximum number of `slots` that a group may occupy: half for visitors together, three quarters for a user,
 * and never the last slot if there are several, so that another party can always begin at once.
 */
export function partyLimit(group: string, slots: number): number {
  const fraction = group === visitors ? 1 / 2 : 3 / 4;
  return Math.max(1, Math.min(Math.ceil(slots * fraction), slots - 1));
}
