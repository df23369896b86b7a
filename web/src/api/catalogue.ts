import { isApiError } from './api-error.ts';
import { pageConfig } from './page-config.ts';

/** The time after which requests to a catalogue that was off are sent again, in ms. */
const forgetOffMs = 300_000;
let offUntil = Number.NEGATIVE_INFINITY;

/** Whether the server keeps a catalogue, which knows names and sizes at once. */
export const isCatalogueOn = (): boolean => pageConfig.EnableCatalogue && performance.now() >= offUntil;

/**
 * Returns whether a request to the catalogue failed because the server has none. If so, this is recorded: {@link isCatalogueOn}
 * returns false for a while.
 */
export function recordCatalogueOff(error: unknown): boolean {
  const isOff = isApiError(error, 'catalogue_off');
  if (isOff) offUntil = performance.now() + forgetOffMs;
  return isOff;
}
