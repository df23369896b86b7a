/** The orders of a ranked search. */
export const findSorts = ['rank', 'name', 'size', 'modified'] as const;
export type FindSort = (typeof findSorts)[number];

export const isFindSort = (key: string | null): key is FindSort => findSorts.some((sort) => sort === key);
