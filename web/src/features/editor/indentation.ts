import type { Text } from '@codemirror/state';

/** The number of inspected lines. */
const inspectedLines = 500;

/** Detects the indentation unit of `doc`: a tab, or the number of spaces that most of its first indented lines use. */
export function detectIndentation(doc: Text): string {
  let tabs = 0;
  const steps = new Map<number, number>();
  let previousWidth = 0;
  for (let number = 1; number <= Math.min(doc.lines, inspectedLines); number += 1) {
    const [, whitespace = '', rest = ''] = /^([\t ]*)(.*)$/s.exec(doc.line(number).text) ?? [];
    if (rest === '') continue;
    if (whitespace.startsWith('\t')) tabs += 1;
    const step = whitespace.length - previousWidth;
    if (!whitespace.includes('\t') && step >= 2 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    previousWidth = whitespace.length;
  }
  const [best] = [...steps].sort(([, first], [, second]) => second - first);
  if (tabs > (best?.[1] ?? 0)) return '\t';
  return ' '.repeat(best?.[0] ?? 2);
}
