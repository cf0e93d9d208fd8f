import { asSentence } from '@croft/flow';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, History, UserCheck } from 'lucide-react';
import { memo, useContext } from 'react';
import { NodeButtons } from '../editing/node-buttons.tsx';
import { useFits } from '../editing/wiring.ts';
import { AnswerButtons } from '../inspector/approvals.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { FindingsContext } from './findings.ts';
import { type ComponentNode, portColor } from './graph.ts';
import type { PortView } from './node-view.ts';
import { formatMs, resultText, withoutJsonFences } from './result-text.ts';
import type { NodeRun, NodeStatus } from './run-state.ts';
import { useNodeRun } from './run-store.ts';

type CardProps = NodeProps<ComponentNode>;

/** A component on the canvas. Renders again only when its part of the document or of the run changes, not while it moves. */
export const ComponentCard = memo(function ComponentCard({
  data: { view },
  selected,
  dragging,
  isConnectable,
}: CardProps) {
  const { status: ran, run, question, isChanged } = useNodeRun(view.id);
  const status = isChanged ? 'changed' : ran;
  const fits = useFits(view.id);
  const finding = useContext(FindingsContext).get(view.id);
  const problem = status === undefined || isChanged ? finding : undefined;
  const isBad = status === 'failed' || problem !== undefined || !view.isKnown;
  return (
    <div
      className={cn(
        'rounded-lg border bg-surface text-sm shadow-card transition-[border-color,opacity] duration-150',
        selected && 'ring-2 ring-accent',
        isBad
          ? 'border-bad'
          : status === 'running'
            ? 'border-accent'
            : status === 'asking'
              ? 'border-warn'
              : status === 'done'
                ? 'border-accent/50'
                : 'border-line',
        (status === 'skipped' || fits?.size === 0) && 'opacity-60',
      )}
    >
      {selected && !dragging && <NodeButtons id={view.id} canConnect={view.isKnown} />}
      <div className="flex items-start justify-between gap-2 border-b border-line px-3 py-2">
        <div className="card-name min-w-0">
          <p className="truncate font-semibold">{view.title}</p>
          <p className="truncate text-xs text-soft first-letter:uppercase">
            {view.isKnown
              ? view.title === view.kind
                ? view.category
                : view.kind
              : 'This server has no such component'}
          </p>
        </div>
        {status && <StatusMark status={status} run={run} />}
      </div>
      {view.fields.length > 0 && (
        <dl className="grid gap-1 border-b border-line px-3 py-2 text-xs">
          {view.fields.map(({ name, label, value }) => (
            <div key={name} className="flex min-w-0 gap-2">
              <dt className="max-w-1/2 shrink-0 truncate text-soft">{label}</dt>
              <dd className="min-w-0 truncate">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="flex justify-between gap-3 py-2 text-xs">
        <Ports side="left" ports={view.inputs} fits={fits} isConnectable={isConnectable} />
        <Ports side="right" ports={view.outputs} fits={fits} isConnectable={isConnectable} />
      </div>
      {question ? (
        <div className="nodrag nopan grid cursor-auto gap-2 rounded-b-lg border-t border-warn/30 bg-warn-soft px-3 py-2 text-xs">
          <p className="line-clamp-4 font-medium [overflow-wrap:anywhere]">
            <NameText name={question.text} hasLines />
          </p>
          <AnswerButtons question={question} small />
        </div>
      ) : (
        <NodeOutcome status={status} run={run} problem={problem} />
      )}
    </div>
  );
}, isSameCard);

const SHOWN = ['data', 'selected', 'dragging', 'isConnectable'] as const satisfies readonly (keyof CardProps)[];

function isSameCard(before: CardProps, next: CardProps): boolean {
  return SHOWN.every((name) => before[name] === next[name]);
}

function Ports({
  side,
  ports,
  fits,
  isConnectable,
}: {
  side: 'left' | 'right';
  ports: readonly PortView[];
  /** The ports that fit the wire that is being drawn. */
  fits: ReadonlySet<string> | undefined;
  isConnectable: boolean;
}) {
  const isLeft = side === 'left';
  return (
    <ul className={cn('grid min-w-0 content-start gap-1', isLeft ? 'justify-items-start' : 'justify-items-end')}>
      {ports.map(({ name, label, types, required }) => (
        <li
          key={name}
          className={cn(
            'relative max-w-full min-w-0',
            isLeft ? 'pl-3' : 'pr-3',
            fits?.has(name) === true && 'fits font-semibold text-accent-strong',
            fits?.has(name) === false && 'opacity-50',
          )}
          title={types.join(' or ')}
        >
          <Handle
            id={name}
            type={isLeft ? 'target' : 'source'}
            position={isLeft ? Position.Left : Position.Right}
            isConnectable={isConnectable}
            style={{ background: portColor(types) }}
          />
          <p className="truncate">
            {label}
            {required && <span className="text-soft"> (required)</span>}
            <span className="sr-only">, {types.join(' or ')}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** `changed`: the result belongs to the component as it was. */
type CardStatus = NodeStatus | 'changed';

const MARKS: Readonly<Record<CardStatus, { readonly word: string; readonly className: string }>> = {
  waiting: { word: 'Waiting', className: 'text-soft' },
  running: { word: 'Running', className: 'text-accent-strong' },
  asking: { word: 'Waits for you', className: 'text-warn' },
  done: { word: 'Done', className: 'text-accent-strong' },
  failed: { word: 'Failed', className: 'text-bad' },
  skipped: { word: 'Skipped', className: 'text-soft' },
  changed: { word: 'Changed', className: 'text-soft' },
};

function StatusMark({ status, run }: { status: CardStatus; run: NodeRun | undefined }) {
  const { word, className } = MARKS[status];
  return (
    <p
      className={cn('card-status flex shrink-0 items-center gap-1 pt-0.5 text-xs font-medium', className)}
      title={status === 'changed' ? 'Changed since the last run' : undefined}
    >
      <StatusIcon status={status} />
      <span>
        {run?.isReused && status === 'done' ? 'Reused' : word}
        {run && run.rounds > 1 && status !== 'changed' && ` ×${run.rounds}`}
      </span>
      {run?.ms !== undefined && status === 'done' && <span className="font-normal text-soft">{formatMs(run.ms)}</span>}
    </p>
  );
}

function StatusIcon({ status }: { status: CardStatus }) {
  if (status === 'running') return <Spinner className="size-3.5" />;
  const Icon = {
    waiting: CircleDashed,
    asking: UserCheck,
    done: CircleCheck,
    failed: CircleAlert,
    skipped: CircleSlash,
    changed: History,
  }[status];
  return <Icon size={14} aria-hidden="true" />;
}

/** The foot of a node: a failure with its fix, streamed text, or its result. */
function NodeOutcome({
  status,
  run,
  problem,
}: {
  status: CardStatus | undefined;
  run: NodeRun | undefined;
  problem: { readonly message: string; readonly fix?: string } | undefined;
}) {
  const failure = problem ?? (status === 'failed' ? run?.failure : undefined);
  if (failure)
    return (
      <div className="rounded-b-lg border-t border-bad/30 bg-bad-soft px-3 py-2 text-xs text-bad [overflow-wrap:anywhere]">
        <p className="line-clamp-4 font-medium">{asSentence(failure.message)}</p>
        {failure.fix && <p className="mt-0.5 line-clamp-3">{asSentence(failure.fix)}</p>}
      </div>
    );
  const isLive = status === 'running';
  const text = isLive
    ? run?.text || run?.progress
    : run?.status === 'done'
      ? run.text || resultText(run.outputs)
      : status === 'changed'
        ? 'Failed before the change.'
        : '';
  if (!text) return null;
  return (
    <p
      className={cn(
        'rounded-b-lg border-t border-line bg-sunken px-3 py-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]',
        // A text that grows shows its end.
        isLive ? 'flex max-h-16 flex-col-reverse overflow-hidden' : 'line-clamp-3',
        status === 'changed' && 'text-soft',
      )}
    >
      {withoutJsonFences(text)}
    </p>
  );
}
