import { createRegistry, type Finding, type FlowNode, type Registry } from '@croft/flow';
import type { StoredComponent } from '@croft/workspace';
import type { CroftComponent } from '../services.ts';
import { readComponent } from './read-component.ts';
import { fixOf, placed } from './run-user-code.ts';
import type { CodeProblem, ReadComponent } from './sandbox/messages.ts';
import { typescriptCode } from './typescript-code.ts';
import { userComponent } from './user-component.ts';

/** A stored component that is left out, and why. */
export interface LeftOut {
  readonly className: string;
  readonly reason: string;
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
  signal?: AbortSignal,
): Promise<UserOverlay> {
  const leftOut: LeftOut[] = [];
  const components: CroftComponent[] = [];
  for (const { className, code } of stored) {
    if (base.get(className) !== undefined) {
      leftOut.push({ className, reason: 'A built-in component has the same name.' });
      continue;
    }
    const read = await readComponent(code, signal);
    if (!read.ok) leftOut.push({ className, reason: `${placed(read.problems[0] as CodeProblem)}.` });
    else if (read.component.className !== className)
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
 * `code` of a node whose type is unknown becomes a component of that type. `code` of a built-in component is refused.
 */
export async function withFlowCode(
  base: Registry<CroftComponent>,
  flow: { readonly nodes: readonly CodeNode[] },
  signal?: AbortSignal,
): Promise<FlowCode> {
  const findings: Finding[] = [];
  const reads = new Map<string, ReadComponent>();
  const own = new Map<string, { readonly code: string; readonly component: CroftComponent }>();
  for (const node of flow.nodes) {
    const { code, field } = codeOf(node, base);
    if (code === undefined) continue;
    const entry = base.get(node.type);
    if (field === undefined && entry !== undefined && entry.descriptor.category !== 'custom') {
      findings.push(notEditable(node));
      continue;
    }
    const read = await readComponent(code, signal);
    if (!read.ok) {
      findings.push(...read.problems.map((problem) => findingOf(node, field, problem)));
      continue;
    }
    if (field !== undefined) reads.set(code, read.component);
    else if (entry === undefined) {
      const known = own.get(node.type);
      if (known !== undefined && known.code !== code) findings.push(twoCodes(node));
      else own.set(node.type, { code, component: userComponent(read.component, code, node.type) });
    }
  }
  if (reads.size === 0 && own.size === 0) return { registry: base, findings };
  const typescript = typescriptCode(reads);
  const entries = base.entries.map((entry) =>
    entry.descriptor.type === typescript.descriptor.type ? typescript : entry,
  );
  return { registry: createRegistry([...entries, ...[...own.values()].map(({ component }) => component)]), findings };
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

const notEditable = (node: CodeNode): Finding => ({
  severity: 'error',
  code: 'wrong_value',
  node: node.id,
  message: `${node.id} has code of its own, and its type '${node.type}' is a built-in component.`,
  fix: 'Remove the code, or use a TypeScript code component.',
});

const twoCodes = (node: CodeNode): Finding => ({
  severity: 'error',
  code: 'wrong_value',
  node: node.id,
  message: `${node.id} has other code than another node of the type '${node.type}'.`,
  fix: 'Give one of the two types another name.',
});
