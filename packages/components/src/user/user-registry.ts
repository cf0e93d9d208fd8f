import {
  createRegistry,
  type Finding,
  FlowError,
  type FlowNode,
  type FlowSpec,
  inTurns,
  parseSpecInParts,
  type Registry,
  valuesByNode,
} from '@croft/flow';
import type { StoredComponent } from '@croft/workspace';
import { builtinSource, isBuiltinSource } from '../editable/sources.ts';
import type { CroftComponent } from '../services.ts';
import { readComponent, type ReadOptions } from './read-component.ts';
import { fixOf, placed } from './run-user-code.ts';
import type { CodeProblem, ReadComponent } from './sandbox/messages.ts';
import { typescriptCode } from './typescript-code.ts';
import { editedBuiltin, portsByCode, userComponent } from './user-component.ts';

/** A stored component that is left out, and why. */
export interface LeftOut {
  readonly className: string;
  readonly reason: string;
  /** Absent where a name is taken. */
  readonly problem?: CodeProblem;
}

/** Components of a user in front of which the built-in ones come. */
export interface UserOverlay {
  readonly registry: Registry<CroftComponent>;
  readonly leftOut: readonly LeftOut[];
}

/** Adds a user's stored components to a registry. Built-in types and aliases win; broken sources are left out. */
export async function withStoredComponents(
  base: Registry<CroftComponent>,
  stored: readonly StoredComponent[],
  options?: ReadOptions,
): Promise<UserOverlay> {
  const leftOut: LeftOut[] = [];
  const components: CroftComponent[] = [];
  for (const { className, code } of stored) {
    if (base.get(className) !== undefined) {
      leftOut.push({ className, reason: 'A built-in component has the same name.' });
      continue;
    }
    const read = await readComponent(code, options);
    if (!read.ok) {
      const problem = read.problems[0] as CodeProblem;
      leftOut.push({ className, reason: `${placed(problem)}.`, problem });
    } else if (read.component.className !== className)
      leftOut.push({ className, reason: `The file's class is called ${read.component.className}.` });
    else components.push(userComponent(read.component, code));
  }
  return { registry: createRegistry([...base.entries, ...components]), leftOut };
}

/** The parts of a node that decide its code. */
export type CodeNode = Pick<FlowNode, 'id' | 'type' | 'values' | 'code'>;

/** A registry for one flow, and what is wrong with the flow's own code. */
export interface FlowCode {
  readonly registry: Registry<CroftComponent>;
  /** Each is an error: a run must not start. */
  readonly findings: readonly Finding[];
}

/**
 * Reads and scans the code inside of a flow, and gives a registry that has its ports. Runs nothing of it. Call it before
 * a flow is checked or run: flows can be imported or written by others.
 *
 * Code of a node decides its ports and what runs, also where a stored component has the same type. Where the type is
 * unknown, the code becomes a component of that type. The code of a built-in component is not read where it is the source
 * of that component, except for spaces; other code takes its place where the component can be edited.
 */
export async function withFlowCode(
  base: Registry<CroftComponent>,
  flow: { readonly nodes: readonly CodeNode[] },
  options?: ReadOptions,
): Promise<FlowCode> {
  const findings: Finding[] = [];
  const ofValues = new Map<string, ReadComponent>();
  const ofNodes = new Map<string, ReadComponent>();
  const unknown = new Map<string, string>();
  const edited = new Set<string>();
  for (const node of flow.nodes) {
    const { code, field } = codeOf(node, base);
    if (code === undefined) continue;
    const entry = base.get(node.type);
    if (field === undefined && entry !== undefined && !isOfUser(entry)) {
      if (isBuiltinSource(entry.descriptor.type, code)) continue;
      if (builtinSource(entry.descriptor.type) === undefined) {
        findings.push(notEditable(node));
        continue;
      }
      edited.add(entry.descriptor.type);
    }
    const read = await readComponent(code, options);
    if (!read.ok) findings.push(...read.problems.map((problem) => findingOf(node, field, problem)));
    else if (field !== undefined) ofValues.set(code, read.component);
    else {
      ofNodes.set(code, read.component);
      if (entry === undefined && !unknown.has(node.type)) unknown.set(node.type, code);
    }
  }
  if (ofValues.size === 0 && ofNodes.size === 0) return { registry: base, findings };
  const typescript = typescriptCode(ofValues);
  const known = base.entries.map((entry) => {
    const { type } = entry.descriptor;
    if (type === typescript.descriptor.type) return typescript;
    if (edited.has(type)) return editedBuiltin(entry, ofNodes);
    return isOfUser(entry) ? { ...entry, ports: portsByCode(ofNodes, entry.ports) } : entry;
  });
  const added = [...unknown].map(([type, code]) =>
    userComponent(ofNodes.get(code) as ReadComponent, code, { type, reads: ofNodes }),
  );
  return { registry: createRegistry([...known, ...added]), findings };
}

/**
 * The same for a flow in the text form, whose edges name ports: call it before the flow is built. A text that cannot be
 * read gives the registry as it is, because building it says why.
 */
export async function withSpecCode(
  base: Registry<CroftComponent>,
  text: string,
  options?: ReadOptions,
): Promise<FlowCode> {
  const spec = await parsedSpec(text);
  if (spec === undefined) return { registry: base, findings: [] };
  const values = valuesByNode(spec);
  const nodes = spec.nodes.map(({ id, type }) => ({ id, type, values: values.get(id) ?? {} }));
  return withFlowCode(base, { nodes }, options);
}

async function parsedSpec(text: string): Promise<FlowSpec | undefined> {
  try {
    return await inTurns(parseSpecInParts(text));
  } catch (error) {
    if (error instanceof FlowError) return undefined;
    throw error;
  }
}

/** The code of a node: its own, or the value of the component that runs code. */
function codeOf(node: CodeNode, base: Registry<CroftComponent>): { readonly code?: string; readonly field?: string } {
  if (base.get(node.type)?.descriptor.type === 'TypeScriptCode') {
    const { code } = node.values;
    return typeof code === 'string' ? { code, field: 'code' } : {};
  }
  return node.code === undefined ? {} : { code: node.code };
}

function findingOf(node: CodeNode, field: string | undefined, problem: CodeProblem): Finding {
  return {
    severity: 'error',
    code: 'wrong_value',
    node: node.id,
    ...(field !== undefined && { field }),
    message: `${node.id}: ${placed(problem)}.`,
    fix: fixOf(problem),
  };
}

const isOfUser = ({ descriptor }: CroftComponent): boolean => descriptor.category === 'custom';

const notEditable = (node: CodeNode): Finding => ({
  severity: 'error',
  code: 'wrong_value',
  node: node.id,
  message: `${node.id} has code of its own, and its type '${node.type}' is a built-in component that cannot be edited.`,
  fix: 'Remove the code, or use a TypeScript code component.',
});
