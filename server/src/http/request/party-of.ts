import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../access/sign-in/network-of.ts';
import { type Party, userParty, visitorParty } from '../../scheduling/party.ts';
import { clientAddress } from './client-address.ts';

/** Returns the party of a request: its user, otherwise the visitor by share and network. */
export function partyOf(request: FastifyRequest): Party {
  const user = request.opened?.authContext?.userContext.user;
  if (user !== undefined) return userParty(user.id);
  const params: unknown = request.opened?.params;
  const share =
    typeof params === 'object' && params !== null && 'hash' in params && typeof params.hash === 'string'
      ? params.hash
      : '';
  return visitorParty(share, networkOf(clientAddress(request)));
}
