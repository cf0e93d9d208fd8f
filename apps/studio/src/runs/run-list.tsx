import type { RunSummary } from '../api/runs.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { NameText } from '../ui/name-text.tsx';
import { RunFacts } from './run-facts.tsx';
import { startWords, STATUS_WORDS } from './run-status.ts';
import { StatusBadge } from './status-badge.tsx';

/** Runs, newest first. Each leads to its page. */
export function RunList({
  runs,
  isOfFlow,
}: {
  runs: readonly RunSummary[] /** All of them are of one flow. */;
  isOfFlow: boolean;
}) {
  return (
    <ul>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} isOfFlow={isOfFlow} />
      ))}
    </ul>
  );
}

function RunRow({ run, isOfFlow }: { run: RunSummary; isOfFlow: boolean }) {
  const { id, flowName, status, startedAt, metrics } = run;
  const when = <time dateTime={startedAt}>{formatWhen(startedAt)}</time>;
  return (
    <li className="relative flex items-center gap-4 border-b border-line px-4 py-3 last:border-0 has-[a:hover]:bg-hover md:px-5">
      <div className="min-w-0 grow md:flex md:items-center md:gap-4">
        <div className="min-w-0 grow">
          <Link
            to={`/runs/${id}`}
            aria-label={`${flowName}, ${STATUS_WORDS[status].word}, ${formatExactly(startedAt)}`}
            title={formatExactly(startedAt)}
            className="block truncate rounded-sm font-medium after:absolute after:inset-0 after:content-['']"
          >
            {isOfFlow ? when : <NameText name={flowName} />}
          </Link>
          <p className="truncate text-sm text-soft">
            {!isOfFlow && <>{when} · </>}
            {startWords(run)}
          </p>
        </div>
        {metrics && (
          <RunFacts
            ms={metrics.duration_seconds * 1_000}
            tokens={{ input: metrics.input_tokens, output: metrics.output_tokens }}
          />
        )}
      </div>
      <StatusBadge status={status} />
    </li>
  );
}
