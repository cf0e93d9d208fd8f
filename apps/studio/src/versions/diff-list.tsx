import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { changedLines } from './changed-lines.ts';
import { CHANGE_WORDS } from './diff-canvas.tsx';
import type { Change, FlowDiff, PartChange } from './flow-diff.ts';

const TONES: Readonly<Record<Change, BadgeTone>> = { added: 'good', removed: 'bad', changed: 'warn' };

/** The differences of two versions as text. A component leads to its place on the canvas. */
export function DiffList({ diff, onShow }: { diff: FlowDiff; onShow: (id: string) => void }) {
  const { items, edges, details, moved } = diff;
  const isSame = items.length + edges.length + details.length === 0;
  return (
    <section aria-label="Differences" className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold tracking-tight">Differences</h2>
      <p role="status" className="text-sm text-soft">
        {isSame && moved === 0 ? 'Both versions are the same.' : summaryOf(diff)}
      </p>
      {details.length > 0 && <Parts parts={details} />}
      <ul className="grid grid-cols-1 gap-2">
        {items.map(({ id, title, change, parts }) => (
          <li key={id} className="rounded-md border border-line">
            <Row change={change} onClick={() => onShow(id)}>
              {spelledName(title)}
            </Row>
            {parts.length > 0 && (
              <div className="border-t border-line p-2.5">
                <Parts parts={parts} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {edges.length > 0 && (
        <details className="group rounded-md border border-line">
          <summary className="flex cursor-pointer list-none items-center justify-between rounded-md p-2.5 text-sm font-medium">
            {edges.length === 1 ? '1 connection' : `${edges.length} connections`}
            <ChevronDown
              size={16}
              aria-hidden="true"
              className="text-soft transition-transform group-open:rotate-180"
            />
          </summary>
          <ul className="grid gap-0.5 border-t border-line p-1">
            {edges.map(({ edge, change, title }) => (
              <li key={JSON.stringify([edge, change])}>
                <Row change={change} onClick={() => onShow(edge.to.node)}>
                  {spelledName(title)}
                </Row>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** The changes in one sentence. */
export function summaryOf({ items, edges, details, moved }: FlowDiff): string {
  const count = (number: number, word: string) => (number === 1 ? `1 ${word}` : `${number} ${word}s`);
  const parts = (['added', 'removed', 'changed'] as const).flatMap((change) => {
    const number = items.filter((each) => each.change === change).length;
    return number === 0 ? [] : [`${number} ${change}`];
  });
  if (moved > 0) parts.push(`${moved} moved`);
  if (edges.length > 0) parts.push(count(edges.length, 'connection'));
  if (details.length > 0) parts.push(count(details.length, 'detail'));
  return `${parts.join(', ')}.`;
}

function Row({ change, onClick, children }: { change: Change; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex w-full items-center gap-2 rounded-md px-2.5 py-2 text-left text-sm hovered:bg-hover"
    >
      <Badge tone={TONES[change]}>{CHANGE_WORDS[change]}</Badge>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </button>
  );
}

function Parts({ parts }: { parts: readonly PartChange[] }) {
  return (
    <dl className="grid grid-cols-1 gap-2.5 text-sm">
      {parts.map(({ label, before, after }) => (
        <div key={label} className="grid grid-cols-1 gap-1">
          <dt className="font-medium">{label}</dt>
          {`${before}${after}`.includes('\n') ? (
            <Lines label={label} before={before} after={after} />
          ) : (
            <dd className="grid grid-cols-1 gap-1">
              <Value sign="−" word="before" className="bg-bad-soft text-bad" text={before} />
              <Value sign="+" word="after" className="bg-accent-soft text-accent-strong" text={after} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Value({ sign, word, className, text }: { sign: string; word: string; className: string; text: string }) {
  return (
    <p className={`rounded-sm px-1.5 py-0.5 [overflow-wrap:anywhere] ${className}`}>
      <span aria-hidden="true">{sign} </span>
      <span className="sr-only">{word}: </span>
      {text === '' ? <em>empty</em> : spelledName(text, true)}
    </p>
  );
}

const MAX_LINES = 200;

function Lines({ label, before, after }: PartChange) {
  const lines = changedLines(before, after);
  const looks = { '−': 'bg-bad-soft text-bad', '+': 'bg-accent-soft text-accent-strong', ' ': 'text-soft' };
  return (
    <dd>
      <div
        role="region"
        tabIndex={0}
        aria-label={`Changed lines of ${label}`}
        className="max-h-72 overflow-y-auto rounded-md border border-line bg-sunken py-1 font-mono text-xs"
      >
        {lines.slice(0, MAX_LINES).map(({ sign, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no identity of their own
          <p key={index} className={`px-2 whitespace-pre-wrap [overflow-wrap:anywhere] ${looks[sign]}`}>
            {sign} {spelledName(text, true)}
          </p>
        ))}
        {lines.length > MAX_LINES && <p className="px-2 text-soft">{lines.length - MAX_LINES} more lines</p>}
      </div>
    </dd>
  );
}
