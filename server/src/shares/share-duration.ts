import { maxShareDuration } from '@filestead/contract/values/limits';
import { type ShareUnit, shareUnits } from '@filestead/contract/shares';
import { AppError } from '../errors.ts';

const secondsPerUnit: Readonly<Record<ShareUnit, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 60 * 60,
  days: 24 * 60 * 60,
};

/** The last second that clients can show as a date (ECMA-262 §21.4.1.1). */
const lastSecond = 8_640_000_000_000;

/** What a request says about the end of a link. */
export interface ShareDuration {
  /** A whole number, also as text. Empty, zero and none at all mean that the link never ends. */
  readonly expires: string | number | undefined;
  /** One of the units; empty and none at all mean hours. */
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
 * When a link ends that is made at `nowMs` (Unix milliseconds), in Unix seconds; 0 for never. It lives for no less than was
 * asked for. Throws `bad_request`.
 */
export function endOfShare({ expires = '', unit = '' }: ShareDuration, nowMs: number): number {
  const seconds = secondsPerUnit[unitOf(unit)];
  const amount = amountOf(expires);
  return amount === 0 ? 0 : Math.min(Math.ceil(nowMs / 1000) + amount * seconds, lastSecond);
}
