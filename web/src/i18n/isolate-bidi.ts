import { displayName } from './display-name.ts';

/**
 * Isolates a name within a sentence from the direction of the surrounding words (Unicode UAX #9, first strong isolate),
 * and replaces characters that hide or disguise letters.
 */
export const isolateBidi = (name: string): string => `\u2068${displayName(name)}\u2069`;
