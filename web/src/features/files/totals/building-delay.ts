const firstMs = 500;
const maxMs = 5000;
const maxRequests = 120;

/**
 * Returns the delay in ms before sizes are requested again that the catalogue, which is being built, did not know at the first
 * `requests` requests: 500 ms at first, then twice as long each time, up to 5 s. Null after ten minutes.
 */
export const buildingDelay = (requests: number): number | null =>
  requests > maxRequests ? null : Math.min(maxMs, firstMs * 2 ** (requests - 1));
