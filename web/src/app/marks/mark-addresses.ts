/** The addresses of the lists of marked entries. */
export const recentAddress = '/recent';
export const favoritesAddress = '/favorites';
export const tagsAddress = '/tags';

/** Returns the address of the entries with a tag. */
export const tagAddress = (tag: string): string =>
  `${tagsAddress}?${new URLSearchParams({ tag }).toString()}`;
