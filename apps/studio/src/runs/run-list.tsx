import type { RunSummary } from '../api/runs.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { RunMetrics } from './run-metrics.tsx';
import { startWords, STATUS_WORDS } from './run-status.ts';
import { StatusBadge } from './status-badge.tsx';

/** Runs, newest first: a table where there is room. Each leads to its page. */
export function RunList({
  runs,
  isOfFlow,
}: {
  runs: readonly RunSummary[];
  /** All of them are of one flow. */
  isOfFlow: boolean;
}) {
  const columns = isOfFlow ? COLUMNS.ofFlow : COLUMNS.ofAll;
  return (
    <div className="@container">
      <div
        aria-hidden="true"
        className={cn('hidden px-5 py-2 text-xs font-medium text-soft @min-[44rem]:grid', columns)}
      >
        {!isOfFlow && <span>Flow</span>}
        {isOfFlow && <span>Started</span>}
        <span>Input</span>
        {!isOfFlow && <span>Started</span>}
        <span>Time, tokens</span>
        <span>State</span>
      </div>
      <ul className="@min-[44rem]:border-t @min-[44rem]:border-line">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} isOfFlow={isOfFlow} columns={columns} />
        ))}
      </ul>
    </div>
  );
}

const COLUMNS = {
  ofAll: 'gap-x-4 @min-[44rem]:grid-cols-[minmax(9rem,1fr)_minmax(0,1.6fr)_6rem_9.5rem_8rem]',
  ofFlow: 'gap-x-4 @min-[44rem]:grid-cols-[10rem_minmax(0,1fr)_9.5rem_8rem]',
} as const;

function RunRow({ run, isOfFlow, columns }: { run: RunSummary; isOfFlow: boolean; columns: string }) {
  const { id, flowName, status, startedAt, metrics, input } = run;
  const when = <time dateTime={startedAt}>{formatWhen(startedAt)}</time>;
  const start = startWords(run);
  return (
    <li
      className={cn(
        'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-y-0.5 border-b border-line px-4 py-3 last:border-0 has-[a:hover]:bg-hover @min-[44rem]:px-5',
        columns,
      )}
    >
      <div className="min-w-0">
        <Link
          to={`/runs/${id}`}
          aria-label={`${flowName}, ${STATUS_WORDS[status].word}, ${formatExactly(startedAt)}`}
          title={formatExactly(startedAt)}
          className="block truncate rounded-sm font-medium after:absolute after:inset-0 after:content-['']"
        >
          {isOfFlow ? when : <NameText name={flowName} />}
        </Link>
        <p className="hidden truncate text-sm text-soft @min-[44rem]:block">{start}</p>
      </div>
      <p className="truncate text-sm @max-[44rem]:col-span-full @max-[44rem]:row-start-2">
        <span className="sr-only">Input: </span>
        {input ? (
          <NameText name={input} />
        ) : (
          <span className="text-soft">{input === '' ? 'No input' : 'Not known'}</span>
        )}
      </p>
      <div className="flex min-w-0 flex-wrap gap-x-3 text-sm text-soft @max-[44rem]:col-span-full @max-[44rem]:row-start-3 @min-[44rem]:contents">
        <p className={cn('min-w-0 truncate', isOfFlow && '@min-[44rem]:hidden')}>
          {!isOfFlow && when}
          <span className="@min-[44rem]:hidden">
            {!isOfFlow && ' · '}
            {start}
          </span>
        </p>
        <div>
          <RunMetrics metrics={metrics} />
        </div>
      </div>
      <div className="@max-[44rem]:col-start-2 @max-[44rem]:row-start-1">
        <StatusBadge status={status} />
      </div>
    </li>
  );
}
