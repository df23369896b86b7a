import { expect, test } from 'vitest';
import { openAttemptLimiter } from './attempt-limiter.ts';

const limits = { perAddress: 5, perName: 3, windowMs: 60_000 };

test('wrong attempts for one name run out, also from other addresses, until the window has passed', () => {
  let time = 1_000_000;
  const limiter = openAttemptLimiter(limits, () => time);
  for (let turn = 0; turn < 3; turn += 1) limiter.begin(`192.0.2.${turn}`, 'Alice');
  expect(() => limiter.begin('192.0.2.9', 'alice')).toThrow(/try again in 60 seconds/);
  limiter.begin('192.0.2.9', 'bob');
  time += 60_001;
  limiter.begin('192.0.2.9', 'alice');
});

test('attempts from one address run out, whatever the name', () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 5; turn += 1) limiter.begin('192.0.2.1', `name ${turn}`);
  expect(() => limiter.begin('192.0.2.1', 'another')).toThrow(/too many/);
  limiter.begin('192.0.2.2', 'another');
});

test('addresses of one IPv6 network count as one', () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 5; turn += 1) limiter.begin(`2001:db8:1:2::${turn}`, `name ${turn}`);
  expect(() => limiter.begin('2001:db8:1:2:ffff::1', 'another')).toThrow(/too many/);
  limiter.begin('2001:db8:1:3::1', 'another');
});

test('a right password does not count', () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 20; turn += 1) limiter.begin('192.0.2.1', 'alice').succeeded();
  expect(() => limiter.begin('192.0.2.1', 'alice')).not.toThrow();
});

test('strangers who guess at a name do not lock out who signed in before, but that address has limits too', () => {
  const limiter = openAttemptLimiter(limits);
  limiter.begin('192.0.2.1', 'alice').succeeded();
  for (let turn = 0; turn < 3; turn += 1) limiter.begin(`198.51.100.${turn}`, 'alice');
  expect(() => limiter.begin('198.51.100.9', 'alice')).toThrow(/too many/);
  for (let turn = 0; turn < 3; turn += 1) limiter.begin('192.0.2.1', 'alice');
  expect(() => limiter.begin('192.0.2.1', 'alice')).toThrow(/too many/);
});

test('spellings that lead to one account count as one name', () => {
  const limiter = openAttemptLimiter(limits);
  for (const [turn, name] of ['admin', 'ADMIN', 'admın'].entries()) {
    limiter.begin(`192.0.2.${turn}`, name);
  }
  expect(() => limiter.begin('192.0.2.9', 'ａｄｍıｎ')).toThrow(/too many/);
  for (const [turn, name] of ['strasse', 'STRASSE', 'straße'].entries()) {
    limiter.begin(`198.51.100.${turn}`, name);
  }
  expect(() => limiter.begin('192.0.2.9', 'ſtraße')).toThrow(/too many/);
});

test('a refused address makes nobody be forgotten, however many names it tries', () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 3; turn += 1) limiter.begin(`198.51.100.${turn}`, 'alice');
  for (let turn = 0; turn < 5; turn += 1) limiter.begin('192.0.2.1', `name ${turn}`);
  let letThrough = 0;
  for (let turn = 0; turn < 60_000; turn += 1) {
    try {
      limiter.begin('192.0.2.1', `another ${turn}`);
      letThrough += 1;
    } catch {
      // Refused, as it should be.
    }
  }
  expect(letThrough).toBe(0);
  expect(() => limiter.begin('198.51.100.9', 'alice')).toThrow(/too many/);
});
