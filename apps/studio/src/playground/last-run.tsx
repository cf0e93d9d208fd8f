import { useQuery } from '@tanstack/react-query';
import { runQuery } from '../api/runs.ts';
import { useRun } from '../canvas/run-store.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { FailureNote } from '../runs/failure-note.tsx';
import { RunMetrics } from '../runs/run-metrics.tsx';
import { RunResult } from '../runs/run-result.tsx';
import { startWords } from '../runs/run-status.ts';
import { StatusBadge } from '../runs/status-badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { RunLink } from './run-link.tsx';

/** The last run of a flow from the history, until the page shows a run itself, and links to the runs. */
export function LastRun({ flowId, titleOf }: { flowId: string; titleOf: (node: string) => string }) {
  const { status, stored } = useRun();
  const isEarlier = status === 'none' && stored !== undefined;
  const { data: run } = useQuery({ ...runQuery(stored ?? ''), enabled: isEarlier });
  if (stored === undefined) return null;
  const links = (
    <div className="flex flex-wrap gap-2">
      <RunLink id={stored} />
      <Link to={`/flows/${flowId}/runs`} className={buttonClass('quiet', true)}>
        All runs of this flow
      </Link>
    </div>
  );
  if (!isEarlier || !run) return links;
  const { startedAt, metrics, failure } = run;
  return (
    <section aria-label="Last run" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <h2 className="text-lg font-semibold tracking-tight text-ink">Last run</h2>
        <StatusBadge status={run.status} />
        <time dateTime={startedAt} title={formatExactly(startedAt)}>
          {formatWhen(startedAt)}
        </time>
        <span>{startWords(run)}</span>
        <RunMetrics metrics={metrics} />
      </div>
      {failure && <FailureNote failure={failure} titleOf={titleOf} />}
      <RunResult run={run} titleOf={titleOf} />
      {links}
    </section>
  );
}
