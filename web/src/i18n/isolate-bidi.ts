import { displayName } from './display-name.ts';

/**
 * A name within a sentence, kept from turning the words around it (Unicode UAX #9, first strong isolate) and with
 * nothing in it that hides or disguises its letters.
 */
export const isolateBidi = (name: string): string => `\u2068${displayName(name)}\u2069`;
