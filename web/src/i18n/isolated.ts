/** A name within a sentence, kept from turning the words around it (Unicode UAX #9, first strong isolate). */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
