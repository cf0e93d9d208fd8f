import ts from 'typescript';

/** The literal values of an object in the code: texts, true, and lists of texts. */
export type Declared = ReadonlyMap<string, string | true | readonly string[]>;

/** An entry of the inputs or the outputs. */
export interface Entry {
  readonly node: ts.ObjectLiteralExpression;
  readonly declared: Declared;
}

/** As the server chooses it: a class that extends Component, else an exported one, else the first. */
export function componentClass(file: ts.SourceFile): ts.ClassDeclaration | undefined {
  const classes = file.statements.filter((each) => ts.isClassDeclaration(each));
  const isExported = (each: ts.ClassDeclaration) =>
    each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const extendsComponent = ({ heritageClauses = [] as never }: ts.ClassDeclaration) =>
    heritageClauses.some(
      ({ types: [type] }) => type && ts.isIdentifier(type.expression) && type.expression.text === 'Component',
    );
  const components = classes.filter(extendsComponent);
  return components.find(isExported) ?? components[0] ?? classes.find(isExported) ?? classes[0];
}

/** The literal objects of a list of the class, such as `inputs`. */
export function entriesOf(of: ts.ClassDeclaration, list: 'inputs' | 'outputs'): readonly Entry[] {
  const member = of.members.find((each) => ts.isPropertyDeclaration(each) && nameOf(each.name) === list);
  const value = member && (member as ts.PropertyDeclaration).initializer;
  const elements = value && ts.isArrayLiteralExpression(value) ? value.elements : [];
  return elements.flatMap((node) => (ts.isObjectLiteralExpression(node) ? [{ node, declared: declaredIn(node) }] : []));
}

/** The value of a property that is written in an object, whatever it is. */
export function writtenValue(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find((each) => each.name && nameOf(each.name) === name);
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

export const nameOf = (name: ts.PropertyName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;

function declaredIn(object: ts.ObjectLiteralExpression): Declared {
  const found = new Map<string, string | true | readonly string[]>();
  for (const each of object.properties) {
    const key = each.name && nameOf(each.name);
    const value = ts.isPropertyAssignment(each) ? literalOf(each.initializer) : undefined;
    if (key !== undefined && value !== undefined) found.set(key, value);
  }
  return found;
}

function literalOf(node: ts.Expression): string | true | readonly string[] | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  const texts = node.elements.map((each) => (ts.isStringLiteralLike(each) ? each.text : undefined));
  return texts.includes(undefined) ? undefined : (texts as string[]);
}
