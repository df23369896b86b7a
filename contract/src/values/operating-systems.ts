/** Operating systems in the order in which they are tried: a user agent may name several. */
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** Returns the name of the operating system in a user agent; null if it is unknown. */
export const operatingSystemOf = (userAgent: string): string | null =>
  systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
