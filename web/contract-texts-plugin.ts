import ts from 'typescript';
import type { Plugin } from 'vite';

/** The properties of an endpoint that only the manual of the API shows. */
const manualOnly: ReadonlySet<string> = new Set(['summary', 'description']);

/** The text of a module of the contract with empty strings in the place of what only the API's manual shows. */
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

/** Leaves the summaries and descriptions of endpoints out of the page: the server alone shows them. */
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
