/** The delay before favorites and tags are loaded for the first time, in ms; pictures and texts of the first folder come first. */
const delayMs = 2000;

let pending: Promise<void> | null = null;

/** Resolves once the first screen is complete. Call it when its entries have arrived. */
export const afterFirstScreen = (): Promise<void> =>
  (pending ??= new Promise((resolve) => setTimeout(resolve, delayMs)));
