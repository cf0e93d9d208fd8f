import { describeFlowIo, type FlowDocument } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';

const MAX_NAMED = 3;
/** Fields that name what a component reads or writes. */
const PLACES = ['path', 'file_name', 'url'];

/** A sentence about the components at the start and the end of a flow, with the files and addresses that they name. */
export function flowSentence(
  document: FlowDocument,
  registry: ComponentsRegistry,
  titleOf: (node: string) => string,
): string {
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  const named = (ends: readonly { readonly id: string }[]) => {
    const names = ends.slice(0, MAX_NAMED).map(({ id }) => {
      const place = PLACES.map((name) => nodes.get(id)?.values[name]).find(
        (value) => value && typeof value === 'string',
      );
      return `“${titleOf(id)}”${place ? ` (${place as string})` : ''}`;
    });
    const left = ends.length - names.length;
    return new Intl.ListFormat('en').format(left > 0 ? [...names, `${left} more`] : names);
  };
  const { inputs, outputs } = describeFlowIo(document, registry);
  if (inputs.length === 0 || outputs.length === 0) return 'This flow has no chat.';
  return `This flow has no chat: it begins with ${named(inputs)} and ends with ${named(outputs)}.`;
}
