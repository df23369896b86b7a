import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptOwner } from './adopt-owner.ts';

const proofPattern = /^[0-9a-f]{64}$/;

const proofFileOf = (data: string): string => join(data, 'doctor-proof');

/** A secret in the data folder, which proves that a request comes from an administrator of this machine. */
export interface Proof {
  readonly text: string;
  readonly remove: () => void;
}

/** Creates the proof; it belongs to the owner of the data folder, so that the server can read it. */
export function createProof(data: string): Proof {
  const file = proofFileOf(data);
  const text = randomBytes(32).toString('hex');
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  adoptOwner(file);
  return { text, remove: () => rmSync(file, { force: true }) };
}

/** Whether `text` is the current proof; false if there is none. */
export function isProof(data: string, text: unknown): boolean {
  if (typeof text !== 'string' || !proofPattern.test(text)) return false;
  try {
    const expected = readFileSync(proofFileOf(data));
    const given = Buffer.from(text);
    return expected.length === given.length && timingSafeEqual(expected, given);
  } catch {
    return false;
  }
}
