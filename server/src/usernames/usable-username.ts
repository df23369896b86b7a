/** Control characters (Unicode category Cc), including NUL. */
const controlCharacter = /\p{Cc}/u;

/** Whether an account may have this name: well-formed Unicode without control characters. */
export const isUsableUsername = (name: string): boolean =>
  name.isWellFormed() && !controlCharacter.test(name);

/** A name that no account has, used for the lookup and the rate limit of impossible names. */
const impossibleName = '';

/**
 * Returns the name under which a sign-in is counted and looked up: `typed`, or the empty name if no account
 * can have that one. A sign-in with an impossible name takes as long as one with an unknown name, and all
 * impossible names share one counter, so that none of them allows further guesses at an account with a
 * similar name.
 */
export const usernameToLookUp = (typed: string): string => (isUsableUsername(typed) ? typed : impossibleName);
