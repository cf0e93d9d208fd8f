import { fieldOf, outputOf, type Ports } from './declared-ports.ts';
import { literalValue, NotLiteral } from './literal.ts';
import type { CodeOutput } from './messages.ts';
import { eachNode, placeOf } from './scan.ts';
import { type AnyNode, type Place, Refused } from './refused-source.ts';
import { WrongPort } from './wrong-port.ts';

/** The literal ports of a class. @throws Refused */
export function portsOf(members: readonly AnyNode[], place: Place): Ports {
  const outputs = listMember(members, 'outputs', outputOf);
  if (outputs === undefined || outputs.length === 0)
    throw new Refused(
      'ports',
      place,
      "The class has no outputs. Write: outputs = [{ name: 'result', method: 'build' }];",
    );
  const fields = listMember(members, 'inputs', fieldOf) ?? [];
  const inputs = new Set(fields.map(({ name }) => name));
  const overlap = outputs.filter(({ name }) => inputs.has(name)).map(({ name }) => `'${name}'`);
  if (overlap.length > 0)
    throw new Refused('ports', place, `Inputs and outputs have overlapping names: {${overlap.join(', ')}}`);
  for (const list of [fields, outputs]) {
    const names = list.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Refused('ports', place, `The name '${twice}' is used twice.`);
  }
  return { fields, outputs };
}

function memberOf(members: readonly AnyNode[], name: string, type: string): AnyNode | undefined {
  return members.find(
    (each) => each.type === type && each['computed'] !== true && (each['key'].name ?? each['key'].value) === name,
  );
}

function listMember<Each>(
  members: readonly AnyNode[],
  name: string,
  read: (value: unknown, index: number) => Each,
): Each[] | undefined {
  const member = memberOf(members, name, 'PropertyDefinition');
  if (member === undefined) return undefined;
  const place = placeOf(member);
  const node = member['value'] as AnyNode | null;
  if (node?.type !== 'ArrayExpression') throw new Refused('ports', place, `'${name}' must be a list of literals.`);
  if (node['elements'].length > 100) throw new Refused('ports', place, `'${name}' has more than 100 entries.`);
  return (node['elements'] as (AnyNode | null)[]).map((element, index) => {
    const at = element === null ? place : placeOf(element);
    try {
      return read(literalValue(element ?? node), index);
    } catch (error) {
      if (error instanceof NotLiteral)
        throw new Refused(
          'ports',
          error.place,
          `'${name}' must be a list of literals: no variables, calls or spreads, because it is read without running the code.`,
        );
      if (error instanceof WrongPort) throw new Refused('ports', at, error.message);
      throw error;
    }
  });
}

/** The first of these members that is a text. */
export function textMember(members: readonly AnyNode[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const node = memberOf(members, name, 'PropertyDefinition')?.['value'] as AnyNode | undefined;
    if (node?.type === 'Literal' && typeof node['value'] === 'string' && node['value'] !== '')
      return node['value'].slice(0, 500);
  }
  return undefined;
}

/** Each output needs a method that gives a value; one `run` may give all of them. */
export function requireMethods(members: readonly AnyNode[], outputs: readonly CodeOutput[], place: Place): void {
  const named = outputs.filter(({ method }) => method !== undefined);
  if (named.length > 0 && named.length < outputs.length)
    throw new Refused(
      'ports',
      place,
      'Either all outputs name a method, or none does and run() gives an object with them.',
    );
  const methods = new Set(named.length === 0 ? ['run'] : named.map(({ method }) => method as string));
  for (const method of methods) {
    const node = memberOf(members, method, 'MethodDefinition');
    if (node === undefined || node['static'] === true || node['kind'] !== 'method')
      throw new Refused('ports', place, `Output method '${method}' is not a method of the class.`);
    if (!returnsValue(node['value'].body))
      throw new Refused(
        'ports',
        placeOf(node),
        `Output method '${method}' does not have a return statement with a value`,
      );
  }
}

function returnsValue(body: AnyNode): boolean {
  let found = false;
  eachNode(body, (node) => {
    if (node.type === 'ReturnStatement' && node['argument']) found = true;
    return node.type.includes('Function') || node.type.startsWith('Class') ? 'skip' : undefined;
  });
  return found;
}
