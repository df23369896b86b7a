import { expect, test } from 'vitest';
import { trustedPeers } from './client-address.ts';

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['2001:db8::5', true],
  ['11.1.2.3', false],
  ['2001:db9::5', false],
  ['not an address', false],
  [undefined, true],
])('the peer %s is trusted: %s', (peer, isTrusted) => {
  expect(trustedPeers(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])(peer)).toBe(isTrusted);
});

test('no peer is trusted by default', () => {
  expect(trustedPeers([])('127.0.0.1')).toBe(false);
  expect(trustedPeers([])(undefined)).toBe(false);
});
