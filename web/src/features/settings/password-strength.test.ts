import { expect, test } from 'vitest';
import { strengthOf } from './password-strength.ts';

test.each([
  ['', 'weak'],
  ['secret', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['abababababababababababab', 'weak'],
  ['blue kettle', 'fair'],
  ['four trams to Lisbon', 'strong'],
  ['密码密码', 'weak'],
  ['k8#Vq2!mZx9@Lw', 'strong'],
])('rates %s as %s', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
