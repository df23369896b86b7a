import type { FastifyRequest } from 'fastify';
import { changedFields } from '../../access/changed-fields.ts';
import type { StoredUser } from '../../database/database.ts';
import { auditAct } from '../../http/server/audit.ts';

/** Fields of a stored user that no record of a change shows by their value or at all. */
const hidden = ['changedAt', 'lastSignInAt', 'id', 'password'];

/** Records that an account was made for a sign-in, or changed: `former` is then what it was. */
export function auditProvisioning(
  request: FastifyRequest,
  user: StoredUser,
  former: StoredUser | null,
): void {
  const changed = changedFields(former ?? {}, user, hidden);
  if (changed.length === 0) return;
  auditAct(request, {
    event: 'user.provision',
    outcome: 'success',
    actor: null,
    target: { user: { id: user.id, name: user.username }, kind: former === null ? 'create' : 'update' },
    changed,
  });
}
