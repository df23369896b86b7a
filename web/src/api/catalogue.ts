import { pageConfig } from './page-config.ts';

/** The time after which requests to a catalogue that was off are sent again, in ms. */
const forgetOffMs = 300_000;
let offUntil = Number.NEGATIVE_INFINITY;

/** Whether the server keeps a catalogue, which knows names and sizes at once. */
export const isCatalogueOn = (): boolean => pageConfig.EnableCatalogue && performance.now() >= offUntil;

/** Records that the server has answered `catalogue_off`; requests to the catalogue are not sent for a while. */
export function recordCatalogueOff(): void {
  offUntil = performance.now() + forgetOffMs;
}
