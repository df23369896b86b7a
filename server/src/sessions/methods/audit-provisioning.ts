import type { FastifyRequest } from 'fastify';
import { changedFields } from '../../access/changed-fields.ts';
import type { StoredUser } from '../../database/database.ts';
import { auditAction } from '../../http/server/audit.ts';

/** Fields of a stored user that are not recorded. */
const hidden = ['changedAt', 'lastSignInAt', 'id', 'password'];

/** Records that an account was created or changed by a sign-in; `former` is its previous state. */
export function auditProvisioning(
  request: FastifyRequest,
  user: StoredUser,
  former: StoredUser | null,
): void {
  const changed = changedFields(former ?? {}, user, hidden);
  if (changed.length === 0) return;
  auditAction(request, {
    event: 'user.provision',
    outcome: 'success',
    actor: null,
    target: { user: { id: user.id, name: user.username }, kind: former === null ? 'create' : 'update' },
    changed,
  });
}
