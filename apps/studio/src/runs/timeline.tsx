import type { Json } from '@croft/flow';
import { Ban, Check, ChevronRight, CircleAlert } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import type { TimelineEntry } from '../api/runs.ts';
import { formatMs } from '../canvas/result-text.ts';
import { cn } from '../ui/class-names.ts';
import { Spinner } from '../ui/spinner.tsx';
import { FailureNote } from './failure-note.tsx';
import { type GanttRow, ganttOf } from './gantt.ts';
import { LogLines } from './log-lines.tsx';
import type { RunWords } from './run-words.ts';
import { ValueView } from './value-view.tsx';

/** The nodes of a run as bars on one scale. Each unfolds to its inputs and outputs. */
export function Timeline({
  timeline,
  elapsedMs,
  words,
}: {
  timeline: readonly TimelineEntry[];
  /** Of a run that has not ended. */
  elapsedMs: number | undefined;
  words: RunWords;
}) {
  const { rows, totalMs } = ganttOf(timeline, elapsedMs);
  return (
    <>
      <div aria-hidden="true" className={cn(GRID, 'px-4 pb-1 text-xs text-soft max-sm:hidden md:px-5')}>
        <span className="col-start-3 flex justify-between">
          <span>0</span>
          <span>{formatMs(totalMs)}</span>
        </span>
      </div>
      <ol aria-label="Timeline" className="border-t border-line">
        {rows.map((row) => (
          <Row key={`${row.entry.node} ${row.entry.path}`} row={row} words={words} />
        ))}
      </ol>
    </>
  );
}

const GRID = 'grid grid-cols-[1rem_minmax(0,14rem)_minmax(0,1fr)_4.5rem] items-center gap-x-3';

const WORDS: Readonly<Record<TimelineEntry['status'], string>> = {
  running: 'runs',
  finished: 'done',
  failed: 'failed',
  pruned: 'skipped',
  cancelled: 'stopped',
};

function Row({ row: { entry, bar }, words }: { row: GanttRow; words: RunWords }) {
  const { titleOf } = words;
  const [isOpen, setIsOpen] = useState(false);
  const { node, path, status, ms } = entry;
  const style = bar && ({ left: `${bar.left}%`, width: `${bar.width}%` } satisfies CSSProperties);
  return (
    <li className="border-b border-line last:border-0">
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)} className="group">
        <summary
          className={cn(
            GRID,
            'min-h-10 px-4 py-1.5 text-sm hovered:bg-hover focus-visible:-outline-offset-2 md:px-5',
            'max-sm:grid-cols-[1rem_minmax(0,1fr)_4.5rem]',
          )}
        >
          <ChevronRight size={15} aria-hidden="true" className="text-soft transition-transform group-open:rotate-90" />
          <span className="flex min-w-0 items-center gap-2">
            <StatusIcon status={status} />
            <span className="min-w-0 truncate">
              <span className="font-medium">{titleOf(node)}</span>
              {path !== '' && <span className="text-soft"> {path}</span>}
              <span className="sr-only">, {WORDS[status]}</span>
            </span>
          </span>
          <span className="relative block h-3 rounded-sm bg-sunken max-sm:order-last max-sm:col-span-3 max-sm:mt-1">
            {style && <span style={style} className={cn('absolute inset-y-0 rounded-sm', COLOURS[status])} />}
          </span>
          <span className="text-right text-soft tabular-nums">
            {ms === undefined ? (status === 'running' ? '' : WORDS[status]) : formatMs(ms)}
          </span>
        </summary>
        {isOpen && <Details entry={entry} words={words} />}
      </details>
    </li>
  );
}

const COLOURS: Readonly<Record<TimelineEntry['status'], string>> = {
  running: 'bg-accent/50',
  finished: 'bg-accent',
  failed: 'bg-bad',
  pruned: 'bg-edge',
  cancelled: 'bg-edge',
};

function StatusIcon({ status }: { status: TimelineEntry['status'] }) {
  if (status === 'running') return <Spinner className="size-3.5" />;
  if (status === 'finished') return <Check size={15} aria-hidden="true" className="shrink-0 text-accent" />;
  if (status === 'failed') return <CircleAlert size={15} aria-hidden="true" className="shrink-0 text-bad" />;
  return <Ban size={15} aria-hidden="true" className="shrink-0 text-soft" />;
}

function Details({ entry, words: { titleOf, labelOf, isCode } }: { entry: TimelineEntry; words: RunWords }) {
  const { node, inputs, outputs, log, failure, tokens, starts = 1 } = entry;
  const title = titleOf(node);
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line bg-canvas px-4 py-3 md:px-5">
      {failure && <FailureNote failure={{ ...failure, node: undefined }} titleOf={titleOf} />}
      {starts > 1 && <p className="text-sm text-soft">Started {starts} times: the run was interrupted, or waited.</p>}
      {tokens && (
        <p className="text-sm text-soft">
          {tokens.input.toLocaleString('en')} tokens in, {tokens.output.toLocaleString('en')} out
        </p>
      )}
      <div className="grid gap-3 md:grid-cols-2">
        <Values
          kind="Input"
          of={title}
          values={inputs as Json | undefined}
          labelOf={(name) => labelOf(node, 'inputs', name)}
          isCode={(name) => isCode(node, name)}
        />
        <Values
          kind="Output"
          of={title}
          values={outputs as Json | undefined}
          labelOf={(name) => labelOf(node, 'outputs', name)}
        />
      </div>
      {log && <LogLines log={log} of={title} />}
    </div>
  );
}

function Values({
  kind,
  of,
  values,
  labelOf,
  isCode = () => false,
}: {
  kind: 'Input' | 'Output';
  of: string;
  values: Json | undefined;
  labelOf: (name: string) => string;
  isCode?: (name: string) => boolean;
}) {
  const shown = Object.entries((values ?? {}) as Readonly<Record<string, Json>>).filter(
    ([, value]) => value !== null && value !== '',
  );
  return (
    <section aria-label={`${kind}s of ${of}`} className="grid grid-cols-1 content-start gap-2">
      <h3 className="text-sm font-semibold">{kind}s</h3>
      {shown.length === 0 && <p className="text-sm text-soft">None are kept.</p>}
      {shown.map(([name, value]) => (
        <div key={name} className="grid grid-cols-1 gap-1">
          <span className="text-xs text-soft">{labelOf(name)}</span>
          <ValueView value={value} label={`${kind} ${labelOf(name)} of ${of}`} isCode={isCode(name)} />
        </div>
      ))}
    </section>
  );
}
