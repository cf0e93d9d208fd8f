import type { FlowDocument, FlowNode } from '@croft/flow';

const MAX_NAMED = 10;

/** How a flow differs from an earlier state, in words. `nameOf` names a component; `verbs` say what became of it. */
export function differencesBetween(
  before: FlowDocument,
  now: FlowDocument,
  nameOf: (node: FlowNode) => string,
  verbs: { readonly added: string; readonly changed: string } = { added: 'added', changed: 'changed values of' },
): string {
  const old = new Map(before.nodes.map((node) => [node.id, JSON.stringify(node.values)]));
  const ids = new Set(now.nodes.map(({ id }) => id));
  const list = (verb: string, nodes: readonly FlowNode[]) => {
    const more = nodes.length > MAX_NAMED ? ` and ${nodes.length - MAX_NAMED} more` : '';
    return nodes.length === 0 ? [] : [`${verb} ${nodes.slice(0, MAX_NAMED).map(nameOf).join(', ')}${more}`];
  };
  const parts = [
    ...list(
      verbs.added,
      now.nodes.filter(({ id }) => !old.has(id)),
    ),
    ...list(
      'removed',
      before.nodes.filter(({ id }) => !ids.has(id)),
    ),
    ...list(
      verbs.changed,
      now.nodes.filter(({ id, values }) => old.has(id) && old.get(id) !== JSON.stringify(values)),
    ),
  ];
  return parts.length === 0 ? 'moved components or changed connections' : parts.join('; ');
}
