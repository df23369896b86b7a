/** The delay before favourites and tags are loaded for the first time, in ms; pictures and texts of the first folder come first. */
const calmAfterMs = 2000;

let calm: Promise<void> | null = null;

/** Resolves once the first screen is complete. Call it when its entries have arrived. */
export const whenCalm = (): Promise<void> =>
  (calm ??= new Promise((resolve) => setTimeout(resolve, calmAfterMs)));
