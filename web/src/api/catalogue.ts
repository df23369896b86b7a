import { pageConfig } from './page-config.ts';

/** The time after which a server that had no catalogue is asked for one again, in ms. */
const forgetOffMs = 300_000;
let offUntil = Number.NEGATIVE_INFINITY;

/** Whether the server keeps a catalogue, which knows names and sizes at once. */
export const isCatalogueOn = (): boolean => pageConfig.EnableCatalogue && performance.now() >= offUntil;

/** Records that the server has answered `catalogue_off`; it is not asked for a while. */
export function noteCatalogueOff(): void {
  offUntil = performance.now() + forgetOffMs;
}
