import type { FlowDocument } from '@croft/flow';
import { cn } from '../ui/class-names.ts';
import type { NodeView } from './node-view.ts';
import { useNodeRun } from './run-store.ts';

/** The components of a flow with their connections and states, for screen readers and narrow pages. */
export function Outline({
  flow,
  views,
  selected,
  onShow,
}: {
  flow: FlowDocument;
  views: ReadonlyMap<string, NodeView>;
  /** Ids of what is selected on the canvas. */
  selected: readonly string[];
  onShow: (node: string) => void;
}) {
  const titleOf = (id: string) => views.get(id)?.title ?? id;
  const next = new Map<string, Set<string>>();
  for (const { from, to } of flow.edges) next.set(from.node, (next.get(from.node) ?? new Set()).add(titleOf(to.node)));
  return (
    <section aria-label="Outline" className="grid grid-cols-1 gap-2">
      <h2 className="text-lg font-semibold tracking-tight">Outline</h2>
      <ol className="grid grid-cols-1 gap-1">
        {flow.nodes.map(({ id }) => (
          <OutlineRow
            key={id}
            id={id}
            view={views.get(id)}
            next={[...(next.get(id) ?? [])]}
            isSelected={selected.includes(id)}
            onShow={onShow}
          />
        ))}
      </ol>
    </section>
  );
}

function OutlineRow({
  id,
  view,
  next,
  isSelected,
  onShow,
}: {
  id: string;
  view: NodeView | undefined;
  next: readonly string[];
  isSelected: boolean;
  onShow: (node: string) => void;
}) {
  const { status } = useNodeRun(id);
  return (
    <li>
      <button
        type="button"
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onShow(id)}
        className={cn(
          'grid w-full grid-cols-1 rounded-md px-2 py-1.5 text-left text-sm hovered:bg-hover',
          isSelected && 'bg-selected',
        )}
      >
        <span className="flex justify-between gap-2">
          <span className="truncate font-medium">{view?.title ?? id}</span>
          {status && <span className="shrink-0 text-soft capitalize">{status === 'asking' ? 'asks you' : status}</span>}
        </span>
        <span className="truncate text-soft">
          {view?.isKnown === false
            ? 'This server has no such component'
            : next.length > 0
              ? `leads to ${next.join(', ')}`
              : view?.category}
        </span>
      </button>
    </li>
  );
}
