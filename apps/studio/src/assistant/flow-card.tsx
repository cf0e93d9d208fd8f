import { landEdit, type LandMode, whyNoAdd } from '@croft/assistant/events';
import { type FlowContent, nodeTitle } from '@croft/flow';
import { useEffect, useMemo, useState } from 'react';
import { thumbOf } from '../flows/thumb.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { useSampleFiles } from './use-sample-files.ts';
import { countText } from './cost-text.ts';
import type { ChatParts } from './assistant-flow.ts';
import type { FlowOffer } from './turn-view.ts';

/** The badge of a decision gives way to the buttons after this time: the flow can be put onto the canvas again. */
const BADGE_MS = 3_000;

/** A built flow: what it looks like, and what to do with it. */
export function FlowCard({
  offer,
  turnKey,
  flow,
  store,
}: Pick<ChatParts, 'flow' | 'store'> & { offer: FlowOffer; turnKey: string }) {
  const { id, status, isRepeat, name, node_count, edge_count } = offer;
  const [isBusy, setIsBusy] = useState(false);
  const [hasSamples, setHasSamples] = useState(false);
  const samples = useSampleFiles(offer.template);
  const why = whyNoAdd(flow.document, offer.flow, flow.registry);
  const isDismissed = status === 'dismissed';
  const names = offer.flow.nodes.map((node) => nodeTitle(node, flow.registry));
  useEffect(() => {
    if (status !== 'applied') return undefined;
    const timer = setTimeout(() => store.show({ kind: 'reopened', key: turnKey }), BADGE_MS);
    return () => clearTimeout(timer);
  }, [status, store, turnKey]);
  async function addSamples() {
    setIsBusy(true);
    setHasSamples(await samples.add());
    setIsBusy(false);
  }
  async function land(mode: LandMode) {
    await addSamples();
    if (isRepeat || isDismissed) {
      // The server decides a proposal once; this is an edit of the user.
      if (flow.apply([landEdit(flow.document, offer.flow, mode)])) await store.landed(turnKey, id);
      return;
    }
    setIsBusy(true);
    await store.decide(turnKey, id, mode);
    setIsBusy(false);
  }
  return (
    <section
      aria-label={`Built flow ${name}`}
      className="grid grid-cols-1 gap-2.5 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold [overflow-wrap:anywhere]">{name}</h3>
          <p className="text-xs text-soft [overflow-wrap:anywhere]">
            {countText(node_count, 'component')}, {countText(edge_count, 'connection')}: {names.join(', ')}
          </p>
        </div>
        {status === 'applied' && <Badge tone="good">Added to canvas</Badge>}
        {status === 'pending' && isRepeat && <Badge>Added before</Badge>}
        {isDismissed && <Badge>Dismissed</Badge>}
      </div>
      <FlowDrawing flow={offer.flow} names={names} />
      {status !== 'applied' && !flow.isReadOnly && (
        <FlowChoices
          isQuiet={isDismissed}
          why={why}
          samples={hasSamples ? undefined : samples.text}
          onAddSamples={isRepeat ? () => void addSamples() : undefined}
          isBusy={isBusy}
          onLand={(mode) => void land(mode)}
          onDismiss={isRepeat || isDismissed ? undefined : () => void store.decide(turnKey, id, 'dismiss')}
        />
      )}
    </section>
  );
}

/** The decisions about a built flow. `why`: it cannot be added beside the canvas. `isQuiet`: the user decided before. */
function FlowChoices({
  isQuiet,
  why,
  samples,
  isBusy,
  onAddSamples,
  onLand,
  onDismiss,
}: {
  isQuiet: boolean;
  why: string | undefined;
  samples: string | undefined;
  isBusy: boolean;
  /** Absent for a flow that is not on the canvas: its sample files come with it. */
  onAddSamples: (() => void) | undefined;
  onLand: (mode: LandMode) => void;
  onDismiss: (() => void) | undefined;
}) {
  return (
    <>
      {samples !== undefined && <p className="text-xs text-soft">{samples}</p>}
      {why !== undefined && <p className="text-xs text-soft">It cannot be added beside the canvas. {why}</p>}
      <div className="flex flex-wrap gap-2">
        {why === undefined && (
          <Button
            small
            look={isQuiet ? 'quiet' : 'primary'}
            busy={isBusy}
            data-testid="assistant-flow-add-button"
            onClick={() => onLand('add')}
          >
            Add to canvas
          </Button>
        )}
        <Button
          small
          look={isQuiet ? 'quiet' : 'plain'}
          busy={isBusy}
          data-testid="assistant-flow-replace-button"
          title="Removes what is on the canvas. Undo brings it back."
          onClick={() => onLand('replace')}
        >
          Replace canvas
        </Button>
        {samples !== undefined && onAddSamples && (
          <Button small busy={isBusy} onClick={onAddSamples}>
            Add sample files
          </Button>
        )}
        {onDismiss && (
          <Button small look="quiet" data-testid="assistant-flow-dismiss-button" onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </div>
    </>
  );
}

/** Wider drawings fill the width of the card; others its height. */
const CARD_SHAPE = 2.4;
/** More names are not legible at this size. */
const MAX_NAMED = 6;
const MAX_NAME = 13;

const short = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name);

function FlowDrawing({ flow, names }: { flow: FlowContent; names: readonly string[] }) {
  const thumb = useMemo(() => thumbOf(flow), [flow]);
  if (!thumb) return null;
  const { boxes, width, height } = thumb;
  const extent = (values: readonly number[], size: number) => Math.max(...values) - Math.min(...values) + size;
  const [xs, ys] = [boxes.map(({ x }) => x), boxes.map(({ y }) => y)];
  const isWide = extent(xs, width) / extent(ys, height) > CARD_SHAPE;
  return (
    <svg
      role="img"
      aria-label="Drawing of the flow"
      viewBox={thumb.viewBox}
      preserveAspectRatio={isWide ? 'xMidYMid slice' : 'xMidYMid meet'}
      className="h-32 w-full rounded-md border border-line bg-sunken text-accent"
    >
      <path d={thumb.wires} fill="none" stroke="var(--color-edge)" strokeWidth="10" />
      {boxes.map(({ id, x, y }, at) => (
        <g key={id}>
          <rect
            x={x}
            y={y}
            width={width}
            height={height}
            rx="24"
            fill="var(--color-selected)"
            stroke="currentColor"
            strokeWidth="8"
          />
          {boxes.length <= MAX_NAMED && (
            <text x={x + width / 2} y={y + height / 2 + 14} textAnchor="middle" fontSize="40" fill="var(--color-ink)">
              {short(names[at] ?? '')}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
