import { BlockList, isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What stands for the address of a client that came through a Unix socket and was not named by a proxy. */
const localAddress = 'local';

/** An IPv4 address that a socket for both kinds shows as IPv6 (`::ffff:192.0.2.1`), as itself. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The address a request comes from; what proxies say counts only when they are trusted. */
export function clientAddress(request: FastifyRequest): string {
  const address: string | undefined = request.ip;
  return address === undefined || address === '' ? localAddress : plainAddress(address);
}

/**
 * Whether what a peer says about whom it forwards is believed: peers in `networks` (addresses or CIDR), and, once there are
 * such, whoever reaches the server's Unix socket, which has no address. The right-most hop that is not trusted counts.
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
