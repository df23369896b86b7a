/** Control characters (Unicode category Cc), NUL among them. */
const controlCharacter = /\p{Cc}/u;

/** Whether an account may have this name: well-formed Unicode without control characters. */
export const isUsableUsername = (name: string): boolean =>
  name.isWellFormed() && !controlCharacter.test(name);

/** The name of no account. It is looked up and rate limited in the place of names that no account can have. */
const nobody = '';

/**
 * The name under which a sign-in is counted and looked up: `typed`, or the name of nobody when no account can have that
 * one. A sign-in with an impossible name thus costs as much as one with an unknown name, and all impossible names share one
 * counter: none of them buys further guesses at an account whose name it resembles.
 */
export const usernameToLookUp = (typed: string): string => (isUsableUsername(typed) ? typed : nobody);
