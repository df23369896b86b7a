import { BlockList, isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The placeholder address of a client that connected through a Unix socket without a proxy. */
const localAddress = 'local';

/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) to IPv4. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Returns the address of the client. Forwarding headers are used only if they come from a trusted proxy. */
export function clientAddress(request: FastifyRequest): string {
  const address: string | undefined = request.ip;
  return address === undefined || address === '' ? localAddress : plainAddress(address);
}

/**
 * Returns a predicate for peers whose forwarding headers are trusted: addresses in `networks` (addresses or
 * CIDR) and, if there are any, peers of the server's Unix socket, which have no address. The right-most
 * untrusted hop is the client.
 */
export function trustedPeers(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (peer) => {
    if (networks.length === 0) return false;
    if (peer === undefined || peer === '') return true;
    const address = plainAddress(peer);
    if (isIP(address) === 0) return false;
    return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
}
