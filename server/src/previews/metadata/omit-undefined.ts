/** Drops the properties that are undefined, as optional properties of the contract are absent. */
export function omitUndefined<T extends object>(properties: {
  [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as T;
}
