import ts from 'typescript';
import { componentClass, type Declared, entriesOf, nameOf, writtenValue } from './component-class.ts';

/** A place in the code where an output does not get what it declares. */
export interface OutputProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

type PortName = 'Message' | 'Data' | 'Table' | 'File';

/** The values that the server takes from a method, in the words of its own message. */
const WANTED: Readonly<Record<PortName, string>> = {
  Message: 'a text',
  Data: 'an object',
  Table: 'a list of objects',
  File: 'an object with a path',
};

interface Output {
  readonly name: string;
  /** Undefined: any value. */
  readonly ports: readonly PortName[] | undefined;
  readonly method: string | undefined;
  /** It stands for one output a row. */
  readonly isPattern: boolean;
  /** The place in the list of outputs. */
  readonly at: ts.Node;
}

/** The code, and the knowledge of the compiler about it. */
interface Reading {
  readonly checker: ts.TypeChecker;
  readonly methods: ReadonlyMap<string, ts.MethodDeclaration>;
  problem(at: ts.Node, message: string): OutputProblem;
}

/**
 * Compares what the methods of a component return with the outputs that it declares as literals, as the server does with
 * their values. A type that the compiler does not know fits.
 */
export function outputProblems(program: ts.Program, path: string): readonly OutputProblem[] {
  const file = program.getSourceFile(path);
  const node = file && componentClass(file);
  if (file === undefined || node === undefined) return [];
  const outputs = entriesOf(node, 'outputs').map(outputOf);
  const reading: Reading = {
    checker: program.getTypeChecker(),
    methods: new Map(
      node.members.flatMap((each) => {
        const name = ts.isMethodDeclaration(each) ? nameOf(each.name) : undefined;
        return name === undefined ? [] : [[name, each as ts.MethodDeclaration] as const];
      }),
    ),
    problem: (at, message) => ({ from: at.getStart(file), to: at.end, message }),
  };
  const [first] = outputs;
  if (first === undefined) return [];
  if (outputs.some(({ method }) => method !== undefined))
    return outputs.flatMap((output) => methodProblems(output, reading));
  return runProblems(first, outputs, reading);
}

function methodProblems(output: Output, { checker, problem, ...reading }: Reading): readonly OutputProblem[] {
  const { method: name, at } = output;
  if (name === undefined) return [];
  const returned = returnedBy(name, at, { checker, problem, ...reading });
  if ('message' in returned) return [returned];
  for (const place of returned.places) {
    const wrong = wrongPart(typeAt(place, checker), output.ports, checker);
    if (wrong !== undefined) return [problem(place, sentence(output, wrong, checker))];
  }
  return [];
}

/** Problems of a method `run()` that gives an object with all outputs. */
function runProblems(first: Output, outputs: readonly Output[], reading: Reading): readonly OutputProblem[] {
  const { checker, problem } = reading;
  const returned = returnedBy('run', first.at, reading);
  if ('message' in returned) return [returned];
  const found: OutputProblem[] = [];
  for (const place of returned.places)
    for (const part of partsOf(typeAt(place, checker))) {
      if (part.flags & (UNKNOWN | NONE)) continue;
      if (part.flags & SCALAR || checker.isArrayLikeType(part))
        found.push(problem(place, 'run() must return an object with the outputs by name.'));
      else
        for (const property of part.getProperties()) found.push(...propertyProblems(property, place, outputs, reading));
    }
  return found;
}

function propertyProblems(
  property: ts.Symbol,
  place: ts.Node,
  outputs: readonly Output[],
  { checker, problem }: Reading,
): readonly OutputProblem[] {
  const written = property.valueDeclaration;
  const at = written && place.pos <= written.pos && written.end <= place.end ? written : place;
  const output = outputs.find(({ name }) => name === property.name);
  if (output === undefined) {
    if (outputs.some(({ isPattern }) => isPattern)) return [];
    const names = outputs.map(({ name }) => name).join(', ');
    return [problem(at, `There is no output '${property.name}'. Outputs: ${names}.`)];
  }
  const wrong = wrongPart(checker.getTypeOfSymbol(property), output.ports, checker);
  return wrong === undefined ? [] : [problem(at, sentence(output, wrong, checker))];
}

function sentence({ name, ports = [] }: Output, wrong: ts.Type, checker: ts.TypeChecker): string {
  const shown = checker.typeToString(checker.getBaseTypeOfLiteralType(wrong));
  return `Output '${name}' gets ${shown}, and must be ${ports.map((each) => WANTED[each]).join(' or ')}.`;
}

function outputOf({ node, declared }: ReturnType<typeof entriesOf>[number]): Output {
  const text = (key: string) => {
    const value = declared.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name: text('name') ?? '',
    ports: portsOf(declared),
    method: text('method'),
    isPattern: writtenValue(node, 'each') !== undefined,
    at: writtenValue(node, 'method') ?? node,
  };
}

/** Undefined where any value fits: an output without types, a branch that passes on its input, a loop. */
function portsOf(declared: Declared): readonly PortName[] | undefined {
  const value = declared.get('types') ?? declared.get('type');
  const names = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];
  const isKnown = names.every((each) => Object.hasOwn(WANTED, each));
  if (names.length === 0 || !isKnown || declared.get('branch') === true || declared.get('loop') === true)
    return undefined;
  return names as readonly PortName[];
}

/** The places that decide what a method returns: its declared type, else its return statements. Or why there are none. */
function returnedBy(
  name: string,
  at: ts.Node,
  { methods, problem }: Reading,
): OutputProblem | { readonly places: readonly ts.Node[] } {
  const method = methods.get(name);
  if (method === undefined) return problem(at, `Output method '${name}' is not a method of the class.`);
  const values: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    // The values of inner functions do not count.
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) values.push(node.expression);
    ts.forEachChild(node, visit);
  };
  if (method.body) ts.forEachChild(method.body, visit);
  if (values.length === 0)
    return problem(method.name, `Output method '${name}' does not have a return statement with a value.`);
  return { places: method.type ? [method.type] : values };
}

function typeAt(node: ts.Node, checker: ts.TypeChecker): ts.Type {
  const type = ts.isTypeNode(node) ? checker.getTypeFromTypeNode(node) : checker.getTypeAtLocation(node);
  return checker.getAwaitedType(type) ?? type;
}

const UNKNOWN =
  ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional;
const NONE = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
const SCALAR = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike;

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** The first part of a type that no port of the output takes. A method may return nothing: the output has no value then. */
const wrongPart = (type: ts.Type, ports: Output['ports'], checker: ts.TypeChecker): ts.Type | undefined =>
  ports && partsOf(type).find((each) => !fits(each, ports, checker));

function fits(type: ts.Type, ports: readonly PortName[], checker: ts.TypeChecker): boolean {
  if (type.flags & (UNKNOWN | NONE)) return true;
  if (type.flags & SCALAR) return ports.includes('Message');
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.NonPrimitive))) return false;
  if (checker.isArrayLikeType(type)) return ports.includes('Table') && isListOfRows(type, checker);
  if (type.getCallSignatures().length > 0) return false;
  // JSON has what the method returns.
  if (type.getProperty('toJSON')) return true;
  if (ports.includes('Data') || ports.includes('File')) return true;
  return ports.includes('Message') && mayHaveText(type, checker);
}

/** A list whose entries may be objects: `any` is one. */
function isListOfRows(type: ts.Type, checker: ts.TypeChecker): boolean {
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return (element === undefined ? [] : partsOf(element)).every(
    (each) => (each.flags & UNKNOWN) !== 0 || (!(each.flags & SCALAR) && !checker.isArrayLikeType(each)),
  );
}

function mayHaveText(type: ts.Type, checker: ts.TypeChecker): boolean {
  const text = type.getProperty('text');
  if (text === undefined) return checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined;
  const of = checker.getTypeOfSymbol(text);
  return (of.flags & (UNKNOWN | ts.TypeFlags.StringLike | ts.TypeFlags.Union)) !== 0;
}
