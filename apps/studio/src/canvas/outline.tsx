import type { FlowDocument } from '@croft/flow';
import { NameText } from '../ui/name-text.tsx';
import type { NodeView } from './node-view.ts';

/** The components of a flow and their connections as a list, for screen readers and narrow pages. */
export function Outline({ flow, views }: { flow: FlowDocument; views: ReadonlyMap<string, NodeView> }) {
  const titleOf = (id: string) => views.get(id)?.title ?? id;
  return (
    <ol className="grid gap-2">
      {flow.nodes.map(({ id }) => {
        const next = flow.edges.filter(({ from }) => from.node === id);
        const view = views.get(id);
        return (
          <li key={id} className="rounded-md border border-line bg-surface px-3.5 py-2.5">
            <p className="font-medium">
              <NameText name={titleOf(id)} />
            </p>
            <p className="text-sm text-soft [overflow-wrap:anywhere]">
              {view?.isKnown === false ? 'This server has no such component' : view?.category}
              {next.length > 0 && <> · leads to {[...new Set(next.map(({ to }) => titleOf(to.node)))].join(', ')}</>}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
