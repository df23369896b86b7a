import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { ShareRepository } from '../../database/database.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { lastRemovedExpiry } from '../../shares/dependencies.ts';

/** Interval at which expired sessions, and shares that expired long ago, are removed. */
const purgeIntervalMs = 60 * 60 * 1000;

/** Removes expired sessions, and shares that expired long ago, at startup and every {@link purgeIntervalMs}. */
export function purgeExpired(
  app: FastifyInstance,
  sessions: Sessions,
  { shares, clock }: { readonly shares: Pick<ShareRepository, 'removeExpired'>; readonly clock: Clock },
): void {
  const purge = (): void => {
    sessions
      .purge()
      .catch((error: unknown) => app.log.error({ err: error }, 'expired sessions could not be removed'));
    shares
      .removeExpired(lastRemovedExpiry(clock.now()))
      .catch((error: unknown) => app.log.error({ err: error }, 'expired shares could not be removed'));
  };
  const stop = clock.every(purgeIntervalMs, purge);
  app.addHook('onReady', async () => purge());
  app.addHook('onClose', async () => stop());
}
