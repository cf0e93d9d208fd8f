import type { Edit, FlowDocument, FlowNode } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { FileDiff } from 'lucide-react';
import { componentSourceQuery, userComponentsQuery } from '../api/components.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/state.tsx';

/** Says that the user saved other code of a component than its flow keeps, and replaces the copy of the flow. */
export function NewerCode({
  flow,
  node,
  isReadOnly,
  apply,
}: {
  flow: FlowDocument;
  node: FlowNode;
  isReadOnly: boolean;
  apply: (edits: readonly Edit[]) => unknown;
}) {
  const { type } = node;
  const hasCopy = node.code !== undefined && !isReadOnly;
  const { data } = useQuery({ ...userComponentsQuery, enabled: hasCopy });
  const saved = data?.components.find(({ name }) => name === type);
  const { data: code } = useQuery({ ...componentSourceQuery(type), enabled: hasCopy && saved?.problem === null });
  if (!hasCopy || code === undefined || code === node.code) return null;
  const others = flow.nodes.filter((each) => each.type === type && each.code !== undefined && each.code !== code);
  const use = (nodes: readonly FlowNode[]) => apply(nodes.map(({ id }) => ({ kind: 'set_code', id, code })));
  return (
    <Callout tone="warn" icon={<FileDiff size={16} />}>
      {type} was saved with other code since. This flow runs its own copy.
      <span className="mt-2 flex flex-wrap gap-2">
        <Button small onClick={() => use([node])}>
          Use the new code
        </Button>
        {others.length > 1 && (
          <Button small onClick={() => use(others)}>
            Use it in all {others.length} components
          </Button>
        )}
      </span>
    </Callout>
  );
}
