import type { FastifyRequest } from 'fastify';
import { changedUserFields } from '../../access/changed-fields.ts';
import type { StoredUser } from '../../database/database.ts';
import { auditAction } from '../../http/server/audit.ts';

/** Records that an account was created or changed by a sign-in; `former` is its previous state. */
export function auditProvisioning(
  request: FastifyRequest,
  user: StoredUser,
  former: StoredUser | null,
): void {
  const changed = changedUserFields(former ?? {}, user);
  if (changed.length === 0) return;
  auditAction(request, {
    event: 'user.provision',
    outcome: 'success',
    actor: null,
    target: { user: { id: user.id, name: user.username }, kind: former === null ? 'create' : 'update' },
    changed,
  });
}
