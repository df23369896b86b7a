import type { Operation } from '../access/operation.ts';
import type { LoggedOperation } from './operation-log.ts';

/** Returns an operation as the log stores it. */
export const loggedOf = ({ id, kind, userContext, undoes, versionAt }: Operation): LoggedOperation => ({
  id,
  kind,
  userId: userContext.user.id,
  session: userContext.sessionId,
  undoes,
  versionAt,
});
