import { isIPv6 } from 'node:net';

/**
 * Returns the network that counts as one client: an IPv4 address itself, and the first 64 bits of an IPv6
 * address, whose owner has at least the 2^64 addresses of that network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
