import { vi } from 'vitest';
import { ApiError } from './api/api-error.ts';
import { recordCatalogueOff } from './api/catalogue.ts';

/** Forgets that the server has answered that its catalogue is off: the record is of the whole page and lasts for minutes. */
export function forgetCatalogueOff(): void {
  const now = vi.spyOn(performance, 'now').mockReturnValue(Number.NEGATIVE_INFINITY);
  recordCatalogueOff(new ApiError(409, 'catalogue_off'));
  now.mockRestore();
}
