const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A duration such as `90s`, `1h30m` or `7d` in milliseconds. Throws an error that says what was expected. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new Error('expected a duration such as 90s, 30m or 2h');
  }
  let total = 0;
  for (const [, amount, unit] of parts) total += Number(amount) * (durationUnits[unit ?? ''] ?? 0);
  return Math.round(total);
}

/** A size such as `500MB`, `20GiB` or plain bytes, in bytes. */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([KMGT])(i?)B?|B)?$/i.exec(text);
  if (match === null) throw new Error('expected a size such as 500MB or 20GiB');
  const [, amount, prefix = '', binary = ''] = match;
  const power = prefix === '' ? 0 : 'KMGT'.indexOf(prefix.toUpperCase()) + 1;
  return Math.round(Number(amount) * (binary === '' ? 1000 : 1024) ** power);
}

/** A whole number between the two bounds, both included. */
export function parseInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`expected a whole number from ${min} to ${max}`);
  return value;
}

/** Whether `text` is a word for a switch that may follow its name. Digits are none: they may be an id. */
export const isSwitchWord = (text: string): boolean => /^(?:on|off|true|false|yes|no)$/i.test(text);

/** A switch: `on`, `off` and their usual synonyms. */
export function parseSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(value)) return true;
  if (['off', 'false', 'no', '0'].includes(value)) return false;
  throw new Error('expected on or off');
}

/** `''` or `/prefix`: segments of letters that need no escape, without a trailing slash. */
export function parseBaseUrl(text: string): string {
  const trimmed = text.replace(/\/+$/, '');
  const base = trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
  if (base !== '' && !/^(?:\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(base)) {
    throw new Error('expected a path such as /files, of letters, digits, dots and dashes');
  }
  return base;
}

/** Permission bits such as `0660`. */
export function parseMode(text: string): number {
  if (!/^0?[0-7]{3}$/.test(text)) throw new Error('expected three octal digits such as 0660');
  return Number.parseInt(text, 8);
}

/** Bits that nothing new gets, such as `027`; null for none given. The owner's own bits are never taken. */
export function parseUmask(text: string): number | null {
  if (text === '') return null;
  if (!/^0?0[0-7]{2}$/.test(text))
    throw new Error('expected three octal digits such as 022 or 027, the first of them 0');
  return Number.parseInt(text, 8);
}

/** Permission bits of files such as `0640`; null for none given. */
export function parseFileMode(text: string): number | null {
  if (text === '') return null;
  if (!/^0?[67][0-7]{2}$/.test(text)) {
    throw new Error('expected three octal digits such as 0640, the first of them 6 or 7');
  }
  return Number.parseInt(text, 8);
}

/** Permission bits of folders such as `0750`, or `2770` with setgid; null for none given. */
export function parseFolderMode(text: string): number | null {
  if (text === '') return null;
  if (!/^[0-3]?7[0-7]{2}$/.test(text)) {
    throw new Error('expected octal digits such as 0750, or 2770 for setgid, with a 7 for the owner');
  }
  return Number.parseInt(text, 8);
}

/** One of a few words. */
export function parseChoice<T extends string>(text: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new Error(`expected one of ${choices.join(', ')}`);
  return choice;
}

/** Words separated by commas. */
export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
