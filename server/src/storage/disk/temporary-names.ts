import { randomBytes } from 'node:crypto';

/** The names of our unfinished files. They are never listed, reached or created through a storage. */
const temporaryName = /^\.filestead-[0-9a-f]{32}\.part$/i;

/** A new name that nobody can guess. */
export const newTemporaryName = (): string => `.filestead-${randomBytes(16).toString('hex')}.part`;

export const isTemporaryName = (name: string): boolean =>
  name.length === 48 && name.startsWith('.') && temporaryName.test(name);
