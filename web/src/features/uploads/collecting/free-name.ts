import { withNumberSuffix } from '@filestead/contract/paths/virtual-path';

/** Returns the first of `name(1).ext`, `name(2).ext`, … that does not exist yet; folders get the number at the end. */
export function freeName(name: string, isFolder: boolean, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = isFolder ? `${name}(${number})` : withNumberSuffix(name, number);
    if (!isTaken(candidate)) return candidate;
  }
}
