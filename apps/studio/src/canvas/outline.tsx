import type { FlowDocument } from '@croft/flow';
import { memo, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import type { NodeView } from './node-view.ts';
import { useNodeRun } from './run-store.ts';

/** Rows that are shown at first, and with each click. */
const PAGE = 100;

/** The components of a flow with their connections and states, for screen readers and narrow pages. */
export const Outline = memo(function Outline({
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
  const [shown, setShown] = useState(PAGE);
  const next = useMemo(() => {
    const titles = new Map<string, Set<string>>();
    const titleOf = (id: string) => views.get(id)?.title ?? id;
    for (const { from, to } of flow.edges)
      titles.set(from.node, (titles.get(from.node) ?? new Set()).add(titleOf(to.node)));
    return new Map([...titles].map(([id, names]) => [id, [...names].join(', ')]));
  }, [flow.edges, views]);
  const rest = flow.nodes.length - shown;
  return (
    <section aria-label="Outline" className="grid grid-cols-1 gap-2">
      <h2 className="text-lg font-semibold tracking-tight">Outline</h2>
      <ol className="grid grid-cols-1 gap-1">
        {flow.nodes.slice(0, shown).map(({ id }) => (
          <OutlineRow
            key={id}
            id={id}
            view={views.get(id)}
            next={next.get(id) ?? ''}
            isSelected={selected.includes(id)}
            onShow={onShow}
          />
        ))}
      </ol>
      {rest > 0 && (
        <Button small className="justify-self-start" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(rest, PAGE)} of {rest} more
        </Button>
      )}
    </section>
  );
});

const OutlineRow = memo(function OutlineRow({
  id,
  view,
  next,
  isSelected,
  onShow,
}: {
  id: string;
  view: NodeView | undefined;
  /** The titles of the components that it leads to. */
  next: string;
  isSelected: boolean;
  onShow: (node: string) => void;
}) {
  const { status, isChanged } = useNodeRun(id);
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
          {status && (
            <span className="shrink-0 text-soft first-letter:uppercase">
              {isChanged ? 'changed' : status === 'asking' ? 'asks you' : status}
            </span>
          )}
        </span>
        <span className="truncate text-soft first-letter:uppercase">
          {view?.isKnown === false
            ? 'This server has no such component'
            : next !== ''
              ? `leads to ${next}`
              : view?.category}
        </span>
      </button>
    </li>
  );
});
