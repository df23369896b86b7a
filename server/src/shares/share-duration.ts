import { maxShareDuration } from '@filestead/contract/values/limits';
import { type ShareUnit, shareUnits } from '@filestead/contract/shares';
import { AppError } from '../errors.ts';

const secondsPerUnit: Readonly<Record<ShareUnit, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 60 * 60,
  days: 24 * 60 * 60,
};

/** The last second that clients can represent as a date (ECMA-262 §21.4.1.1). */
const lastSecond = 8_640_000_000_000;

/** The requested lifetime of a share. */
export interface ShareDuration {
  /** A whole number, also as text. An empty value, zero and undefined mean that the share never ends. */
  readonly expires: string | number | undefined;
  /** A unit of time; an empty value and undefined mean hours. */
  readonly unit: string | undefined;
}

function amountOf(expires: string | number): number {
  const text = String(expires).trim();
  if (text === '') return 0;
  const amount = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (amount <= maxShareDuration) return amount;
  throw new AppError('bad_request', `expires: expected a whole number from 1 to ${maxShareDuration}`);
}

function unitOf(text: string): ShareUnit {
  if (text === '') return 'hours';
  const unit = shareUnits.find((known) => known === text);
  if (unit === undefined) throw new AppError('bad_request', `unit: expected one of ${shareUnits.join(', ')}`);
  return unit;
}

/**
 * Returns the end of a share that is created at `nowMs` (Unix milliseconds), in Unix seconds; 0 for never. It is
 * rounded up. Throws `bad_request`.
 */
export function endOfShare({ expires = '', unit = '' }: ShareDuration, nowMs: number): number {
  const seconds = secondsPerUnit[unitOf(unit)];
  const amount = amountOf(expires);
  return amount === 0 ? 0 : Math.min(Math.ceil(nowMs / 1000) + amount * seconds, lastSecond);
}
