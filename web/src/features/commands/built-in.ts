import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A command that the panel runs itself instead of a program. */
export type BuiltIn =
  | { readonly kind: 'clear' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'go'; readonly to: VirtualPath };

/** Resolves `target` relative to `folder`; null when the path is invalid. */
function resolve(folder: VirtualPath, target: string): VirtualPath | null {
  const parts = target.startsWith('/') ? [] : folder.split('/');
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  try {
    return parsePath(`/${parts.filter((part) => part !== '').join('/')}`).path;
  } catch {
    return null;
  }
}

/**
 * Parses `clear`, `exit`, and `cd` with at most one folder, which is then opened in the files screen; null for
 * everything else.
 */
export function parseBuiltIn(line: string, folder: VirtualPath): BuiltIn | null {
  const command = line.trim();
  if (command === 'clear') return { kind: 'clear' };
  if (command === 'exit') return { kind: 'exit' };
  const [, quoted, plain] = /^cd(?:\s+(?:"([^"]*)"|([^\s"'\\;&|<>$`*?]+)))?$/u.exec(command) ?? [null];
  if (quoted === undefined && plain === undefined && command !== 'cd') return null;
  const target = quoted ?? plain ?? '~';
  if (target === '~') return { kind: 'go', to: rootPath };
  const to = resolve(folder, target);
  return to === null ? null : { kind: 'go', to };
}
