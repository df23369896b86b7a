/** Returns the form in which tags are compared: upper and lower case, and Unicode forms, are equal. */
export const keyOfTag = (tag: string): string => tag.normalize('NFC').toLowerCase();
