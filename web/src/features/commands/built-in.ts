import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** What the panel does itself instead of running a program. */
export type BuiltIn =
  { readonly kind: 'clear' } | { readonly kind: 'exit' } | { readonly kind: 'go'; readonly to: VirtualPath };

/** The path that `wanted` names when one stands in `folder`; null when there can be none. */
function resolve(folder: VirtualPath, wanted: string): VirtualPath | null {
  const parts = wanted.startsWith('/') ? [] : folder.split('/');
  for (const part of wanted.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  try {
    return parsePath(`/${parts.filter((part) => part !== '').join('/')}`).path;
  } catch {
    return null;
  }
}

/** `clear`, `exit`, and `cd` with at most one folder, which goes there in the files screen; null for everything else. */
export function builtIn(line: string, folder: VirtualPath): BuiltIn | null {
  const typed = line.trim();
  if (typed === 'clear') return { kind: 'clear' };
  if (typed === 'exit') return { kind: 'exit' };
  const [, quoted, plain] = /^cd(?:\s+(?:"([^"]*)"|([^\s"'\\;&|<>$`*?]+)))?$/u.exec(typed) ?? [null];
  if (quoted === undefined && plain === undefined && typed !== 'cd') return null;
  const wanted = quoted ?? plain ?? '~';
  if (wanted === '~') return { kind: 'go', to: rootPath };
  const to = resolve(folder, wanted);
  return to === null ? null : { kind: 'go', to };
}
