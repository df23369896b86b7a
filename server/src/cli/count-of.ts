/** Returns a number with its noun, such as `1 user` and `2 users`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Returns a number of entries, such as `1 entry`. */
export const entriesText = (count: number): string => countOf(count, 'entry', 'entries');
