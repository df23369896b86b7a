import { BlockList, isIP } from 'node:net';
import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { canPassOn } from '../programs/program-environment.ts';

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration such as `90s`, `1h30m` or `7d` to milliseconds; zero needs no unit. Throws an error with the
 * expected format.
 */
export function parseDuration(text: string): number {
  if (/^0+$/.test(text)) return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new Error('expected a duration such as 90s, 30m or 2h');
  }
  let total = 0;
  for (const [, amount, unit] of parts) total += Number(amount) * (durationUnits[unit ?? ''] ?? 0);
  return Math.round(total);
}

/** Parses a duration that is longer than zero. */
export function parsePositiveDuration(text: string): number {
  const duration = parseDuration(text);
  if (duration <= 0) throw new Error('expected a duration of more than 0');
  return duration;
}

/** Parses a size such as `500MB`, `20GiB` or plain bytes to bytes. */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([KMGT])(i?)B?|B)?$/i.exec(text);
  if (match === null) throw new Error('expected a size such as 500MB or 20GiB');
  const [, amount, prefix = '', binary = ''] = match;
  const power = prefix === '' ? 0 : 'KMGT'.indexOf(prefix.toUpperCase()) + 1;
  return Math.round(Number(amount) * (binary === '' ? 1000 : 1024) ** power);
}

/** Parses an integer between two inclusive bounds. */
export function parseInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`expected a whole number from ${min} to ${max}`);
  return value;
}

/** Parses `host:port`, `[IPv6]:port` or a port of this machine. Port 0 means any free port. */
export function parseHostAndPort(text: string): { host: string; port: number } {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[3] ?? Number.NaN);
  if (match === null || !(port <= 65_535)) throw new Error('expected host:port, such as 127.0.0.1:9464');
  return { host: match[1] ?? match[2] ?? '127.0.0.1', port };
}

/** Parses a secret of the `Authorization` header (RFC 6750 §2.1), which is long enough not to be guessed; null if it is empty. */
export function parseBearerToken(text: string): string | null {
  if (text === '') return null;
  if (!/^[\w.~+/-]{16,}=*$/.test(text)) {
    throw new Error(
      'expected at least 16 letters, digits and - . _ ~ + /, such as the output of openssl rand -hex 16',
    );
  }
  return text;
}

/** Whether `text` is a value for a preceding switch. Digits are not, because they may be an id. */
export const isSwitchWord = (text: string): boolean => /^(?:on|off|true|false|yes|no)$/i.test(text);

/** Parses a switch: `on`, `off` and their usual synonyms. */
export function parseSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(value)) return true;
  if (['off', 'false', 'no', '0'].includes(value)) return false;
  throw new Error('expected on or off');
}

/**
 * Parses a base URL to `''` or `/prefix`: segments of letters that need no escaping, without a trailing
 * slash.
 */
export function parseBaseUrl(text: string): string {
  const trimmed = text.replace(/\/+$/, '');
  const base = trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
  if (base !== '' && !/^(?:\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(base)) {
    throw new Error('expected a path such as /files, of letters, digits, dots and dashes');
  }
  return base;
}

/** Parses permission bits such as `0660`. */
export function parseMode(text: string): number {
  if (!/^0?[0-7]{3}$/.test(text)) throw new Error('expected three octal digits such as 0660');
  return Number.parseInt(text, 8);
}

/** Parses a umask such as `027`; null if empty. The owner's bits must not be masked. */
export function parseUmask(text: string): number | null {
  if (text === '') return null;
  if (!/^0?0[0-7]{2}$/.test(text))
    throw new Error('expected three octal digits such as 022 or 027, the first of them 0');
  return Number.parseInt(text, 8);
}

/** Parses permission bits of files such as `0640`; null if empty. */
export function parseFileMode(text: string): number | null {
  if (text === '') return null;
  if (!/^0?[67][0-7]{2}$/.test(text)) {
    throw new Error('expected three octal digits such as 0640, the first of them 6 or 7');
  }
  return Number.parseInt(text, 8);
}

/** Parses permission bits of folders such as `0750`, or `2770` with setgid; null if empty. */
export function parseFolderMode(text: string): number | null {
  if (text === '') return null;
  if (!/^[0-3]?7[0-7]{2}$/.test(text)) {
    throw new Error('expected octal digits such as 0750, or 2770 for setgid, with a 7 for the owner');
  }
  return Number.parseInt(text, 8);
}

/** Parses one of several words. */
export function parseChoice<T extends string>(text: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new Error(`expected one of ${choices.join(', ')}`);
  return choice;
}

/** Parses words separated by commas. */
export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Returns an address or a network in CIDR notation. Throws for others. */
export function checkNetwork(text: string): string {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  if (family === 0) throw new Error(`“${text}” is not an address or a network`);
  if (bits !== undefined) {
    const list = new BlockList();
    list.addSubnet(address, parseInteger(bits, 0, family === 4 ? 32 : 128), family === 4 ? 'ipv4' : 'ipv6');
  }
  return text;
}

/**
 * Normalizes an origin such as `https://files.example.org:8443`. Throws for URLs with a path and for other
 * schemes.
 */
export function checkOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (!/^https?:/.test(origin) || !/^https?:\/\/[^/?#@]+\/?$/i.test(text)) {
    throw new Error(`“${text}” is not an origin such as https://files.example.org`);
  }
  return origin;
}

/** Returns the name of a variable that may be passed on to programs. Throws for others. */
export function checkVariable(name: string): string {
  if (canPassOn(name)) return name;
  throw new Error(`“${name}” is not a variable that programs may get`);
}

/** Parses paths of the served folder that are separated by commas. */
export const parseVirtualPaths = (text: string): readonly VirtualPath[] =>
  parseList(text).map((item) => {
    if (!item.startsWith('/')) throw new Error('expected paths of the served folder such as /scratch');
    return parsePath(item).path;
  });

/** Parses names that are separated by commas, with `*` for any text, to patterns that ignore letter case. */
export const parseNamePatterns = (text: string): readonly RegExp[] =>
  parseList(text).map((item) => {
    if (item.includes('/')) throw new Error('expected names of files without slashes, such as Thumbs.db,~$*');
    const parts = item.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join('.*')}$`, 'isu');
  });
