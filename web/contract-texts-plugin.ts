import ts from 'typescript';
import type { Plugin } from 'vite';

/** The properties of an endpoint that only the API documentation shows. */
const manualOnly: ReadonlySet<string> = new Set(['summary', 'description']);

/** Returns the source of a contract module with empty strings in place of the texts of the API documentation. */
function withoutManualTexts(code: string, fileName: string): string {
  const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true);
  const cuts: { start: number; end: number }[] = [];
  const visit = (node: ts.Node, isInEndpoint: boolean): void => {
    const isEndpoint = ts.isCallExpression(node) && node.expression.getText(source) === 'endpoint';
    if (isInEndpoint && ts.isPropertyAssignment(node) && manualOnly.has(node.name.getText(source))) {
      cuts.push({ start: node.initializer.getStart(source), end: node.initializer.getEnd() });
      return;
    }
    ts.forEachChild(node, (child) => visit(child, isInEndpoint || isEndpoint));
  };
  visit(source, false);
  let text = code;
  for (const { start, end } of cuts.toReversed()) text = `${text.slice(0, start)}''${text.slice(end)}`;
  return text;
}

/** Removes the summaries and descriptions of endpoints from the page: only the server shows them. */
export function contractTexts(): Plugin {
  return {
    name: 'contract-texts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/contract\/src\/[^?]*\.ts$/u.test(id) || !code.includes('endpoint(')) return null;
      return { code: withoutManualTexts(code, id), map: null };
    },
  };
}
