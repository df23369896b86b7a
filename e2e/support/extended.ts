/**
 * Whether this run includes the extended journeys. `npm test` leaves them out unless files or tests are named, so that it stays within
 * 25 minutes on two cores (docs/decisions/0047-extended-journeys.md); `npm run bench -- journeys` runs them all.
 */
export const isExtended = process.env['FILESTEAD_EXTENDED'] === '1';

/** The details of a test that only an extended run includes. */
export const extended = { tag: '@extended' } as const;
