import ts from 'typescript';
import type { Plugin } from 'vite';

/** The properties of an endpoint that the page reads (`web/src/api/call.ts`). */
const readByPage: ReadonlySet<string> = new Set(['method', 'path', 'access', 'responses']);
/** The properties of a field of a user that the page does not read (`contract/src/user-fields.ts`). */
const unreadOfUserField: ReadonlySet<string> = new Set(['value', 'change', 'inSettings', 'option']);

/** A part of the source that is replaced. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whether a property belongs to the object of an `endpoint(…)` call itself, not to an object inside it. */
const isOfEndpoint = (property: ts.ObjectLiteralElementLike, source: ts.SourceFile): boolean =>
  ts.isCallExpression(property.parent.parent) &&
  property.parent.parent.expression.getText(source) === 'endpoint';

/** Whether a property belongs to one of the entries of the table `fields` of a module. */
function isOfUserField(property: ts.PropertyAssignment): boolean {
  const table = property.parent.parent.parent.parent;
  let declaration = table;
  while (ts.isAsExpression(declaration) || ts.isSatisfiesExpression(declaration))
    declaration = declaration.parent;
  return (
    ts.isVariableDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    declaration.name.text === 'fields'
  );
}

const containsCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) || ts.forEachChild(node, (child) => containsCall(child) || undefined) === true;

/**
 * Returns the cuts that let the bundler drop the top-level constants of a module that the page does not use. Modules of
 * the contract are data: evaluating a constant has no effect besides its value.
 */
function markPure(source: ts.SourceFile): Cut[] {
  const cuts: Cut[] = [];
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !containsCall(initializer)) continue;
      const [start, end] = [initializer.getStart(source), initializer.getEnd()];
      const isEndpoint =
        ts.isCallExpression(initializer) && initializer.expression.getText(source) === 'endpoint';
      if (isEndpoint) cuts.push({ start, end: start, text: '/* @__PURE__ */ ' });
      else {
        cuts.push({ start, end: start, text: '/* @__PURE__ */ (() => (' });
        cuts.push({ start: end, end, text: '))()' });
      }
    }
  }
  return cuts;
}

/** Returns the source of a contract module without the parts that only the server and the API documentation read. */
function withoutServerParts(code: string, fileName: string): string {
  const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true);
  const cuts = markPure(source);
  const remove = (property: ts.ObjectLiteralElementLike): void => {
    const comma = /^\s*,/.exec(code.slice(property.getEnd()));
    const end = property.getEnd() + (comma?.[0].length ?? 0);
    cuts.push({ start: property.getStart(source), end, text: '' });
  };
  const replace = (property: ts.PropertyAssignment, text: string): void => {
    cuts.push({
      start: property.initializer.getStart(source),
      end: property.initializer.getEnd(),
      text,
    });
  };
  const visit = (node: ts.Node, isInEndpoint: boolean): void => {
    const isEndpoint = ts.isCallExpression(node) && node.expression.getText(source) === 'endpoint';
    const isProperty = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
    if (
      isProperty &&
      isInEndpoint &&
      isOfEndpoint(node, source) &&
      !readByPage.has(node.name.getText(source))
    )
      return remove(node);
    if (ts.isPropertyAssignment(node)) {
      const name = node.name.getText(source);
      if (isInEndpoint && name === 'description') return replace(node, "''");
      // The page reads only whether a response is JSON.
      if (isInEndpoint && name === 'json') return replace(node, 'true');
      if (unreadOfUserField.has(name) && isOfUserField(node)) return remove(node);
    }
    ts.forEachChild(node, (child) => visit(child, isInEndpoint || isEndpoint));
  };
  visit(source, false);
  let result = code;
  for (const { start, end, text } of cuts.toSorted((one, other) => other.start - one.start))
    result = result.slice(0, start) + text + result.slice(end);
  return result;
}

/**
 * Removes the parts of the contract from the page that only the server and the API documentation read: texts and
 * schemas. The page does not validate responses, which come from the same contract.
 */
export function contractTexts(): Plugin {
  return {
    name: 'contract-texts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/contract\/src\/[^?]*\.ts$/u.test(id)) return null;
      return { code: withoutServerParts(code, id), map: null };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const containsSchemas = Object.entries(file.modules).some(
          ([id, { renderedLength }]) => renderedLength > 0 && id.includes('/node_modules/zod/'),
        );
        if (containsSchemas)
          this.error(`${file.fileName} contains zod: the page must not use schemas of the contract`);
      }
    },
  };
}
