/** The storage key of what the small player of a tab plays; present while there is something. */
export const savedPlayerKey = 'filestead.player';
