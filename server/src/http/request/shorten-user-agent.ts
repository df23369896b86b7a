import { operatingSystemOf } from '@filestead/contract/values/operating-systems';

/** Maximum length of the description of an unknown program, in characters. */
const maxLength = 64;

/** Browsers in the order in which they are tried; many claim to be several of them. */
const browsers: readonly [string, RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

/**
 * Returns a short description of a user agent, such as `Firefox 128, Linux`; for other programs its first
 * characters.
 */
export function shortenUserAgent(userAgent: string): string {
  const system = operatingSystemOf(userAgent);
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return [`${name} ${version}`, ...(system === null ? [] : [system])].join(', ');
  }
  return userAgent
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, maxLength)
    .trim();
}
