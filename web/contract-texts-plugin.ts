import ts from 'typescript';
import type { Plugin } from 'vite';

/** The properties of an endpoint that the page reads (`web/src/api/call.ts`). */
const readByPage: ReadonlySet<string> = new Set(['method', 'path', 'access', 'responses']);

/** A part of the source that is replaced. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whether a property belongs to the object of an `endpoint(…)` call itself, not to an object inside it. */
const isOfEndpoint = (property: ts.PropertyAssignment, source: ts.SourceFile): boolean =>
  ts.isCallExpression(property.parent.parent) &&
  property.parent.parent.expression.getText(source) === 'endpoint';

/** Returns the source of a contract module without what only the server and the API documentation read. */
function withoutServerParts(code: string, fileName: string): string {
  const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true);
  const cuts: Cut[] = [];
  const visit = (node: ts.Node, isInEndpoint: boolean): void => {
    const isEndpoint = ts.isCallExpression(node) && node.expression.getText(source) === 'endpoint';
    if (isInEndpoint && ts.isPropertyAssignment(node)) {
      const name = node.name.getText(source);
      if (isOfEndpoint(node, source) && !readByPage.has(name)) {
        const comma = /^\s*,/.exec(code.slice(node.getEnd()));
        const end = node.getEnd() + (comma?.[0].length ?? 0);
        cuts.push({ start: node.getStart(source), end, text: '' });
        return;
      }
      if (name === 'description') {
        cuts.push({ start: node.initializer.getStart(source), end: node.initializer.getEnd(), text: "''" });
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, isInEndpoint || isEndpoint));
  };
  visit(source, false);
  let result = code;
  for (const { start, end, text } of cuts.toReversed())
    result = result.slice(0, start) + text + result.slice(end);
  return result;
}

/** Removes the parts of endpoints from the page that only the server and the API documentation read. */
export function contractTexts(): Plugin {
  return {
    name: 'contract-texts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/contract\/src\/[^?]*\.ts$/u.test(id) || !code.includes('endpoint(')) return null;
      return { code: withoutServerParts(code, id), map: null };
    },
  };
}
