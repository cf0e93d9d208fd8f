import type { FlowDocument } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';

/** How the page of a run names components and their values. */
export interface RunWords {
  readonly titleOf: (node: string) => string;
  /** The label of an input or output, as the canvas shows it. */
  readonly labelOf: (node: string, side: 'inputs' | 'outputs', name: string) => string;
  /** Whether an input of a component is code. */
  readonly isCode: (node: string, name: string) => boolean;
}

/** Reads the words of the flow as it is now. A component or value without a word there keeps its id. */
export function runWords(document: FlowDocument | undefined, registry: ComponentsRegistry | undefined): RunWords {
  const nodes = new Map(document?.nodes.map((node) => [node.id, node]));
  const descriptorOf = (node: string) => registry?.get(nodes.get(node)?.type ?? '')?.descriptor;
  const fieldOf = (node: string, name: string) => descriptorOf(node)?.fields.find((each) => each.name === name);
  return {
    titleOf: (node) => nodes.get(node)?.name ?? descriptorOf(node)?.label ?? node,
    labelOf: (node, side, name) =>
      (side === 'inputs' ? fieldOf(node, name) : descriptorOf(node)?.outputs.find((each) => each.name === name))
        ?.label ?? name,
    isCode: (node, name) => fieldOf(node, name)?.kind === 'code',
  };
}
