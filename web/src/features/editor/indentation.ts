import type { Text } from '@codemirror/state';

/** Lines that are looked at; enough to know a file's habit. */
const inspectedLines = 500;

/** What one step of indentation is in `doc`: a tab, or the number of spaces that its first indented lines agree on. */
export function indentationOf(doc: Text): string {
  let tabs = 0;
  const steps = new Map<number, number>();
  let before = 0;
  for (let number = 1; number <= Math.min(doc.lines, inspectedLines); number += 1) {
    const [, white = '', rest = ''] = /^([\t ]*)(.*)$/s.exec(doc.line(number).text) ?? [];
    if (rest === '') continue;
    if (white.startsWith('\t')) tabs += 1;
    const deeper = white.length - before;
    if (!white.includes('\t') && deeper >= 2 && deeper <= 8) steps.set(deeper, (steps.get(deeper) ?? 0) + 1);
    before = white.length;
  }
  const [best] = [...steps].sort(([, first], [, second]) => second - first);
  if (tabs > (best?.[1] ?? 0)) return '\t';
  return ' '.repeat(best?.[0] ?? 2);
}
