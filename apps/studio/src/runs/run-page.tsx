import type { FlowDocument } from '@croft/flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '../api/api.ts';
import { componentsQuery, flowQuery } from '../api/flows.ts';
import { isOpen, RUNS_KEY, runQuery, type RunRecord } from '../api/runs.ts';
import { formatExactly } from '../files/format.ts';
import { Approvals, Decision } from '../inspector/approvals.tsx';
import { AnswerRunContext } from '../inspector/answer-run.tsx';
import { Link } from '../routing/link.tsx';
import { usePlace } from '../routing/location.ts';
import { PageHead } from '../shell/page-head.tsx';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { ErrorState } from '../ui/state.tsx';
import { FailureNote } from './failure-note.tsx';
import { RunButtons } from './run-buttons.tsx';
import { RunFilesLink } from './run-files-link.tsx';
import { RunMetrics } from './run-metrics.tsx';
import { RunResult } from './run-result.tsx';
import { startWords } from './run-status.ts';
import { runWords } from './run-words.ts';
import { StatusBadge } from './status-badge.tsx';
import { Timeline } from './timeline.tsx';

/** One run: start reading here. The address names it. Loads again until the run has ended. */
export function RunPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const query = useQuery(runQuery(id));
  if (query.data) return <RunView key={id} run={query.data} />;
  if (!query.error) return <PageSkeleton />;
  return (
    <ErrorState
      isPage
      title="This run cannot be shown"
      error={query.error}
      onRetry={() => void query.refetch()}
      action={
        <Link to="/runs" className={buttonClass()}>
          Go to all runs
        </Link>
      }
    />
  );
}

function RunView({ run }: { run: RunRecord }) {
  const { id, flowId, flowName, status, startedAt, metrics, failure, timeline, timelineIsCut, undecided } = run;
  const client = useQueryClient();
  const flow = useQuery({ ...flowQuery(flowId), enabled: flowId !== '', retry: false });
  const components = useQuery(componentsQuery);
  const document = flow.data?.document as unknown as FlowDocument | undefined;
  const registry = components.data;
  const words = useMemo(() => runWords(document, registry), [document, registry]);
  const { titleOf } = words;
  const answering = useMemo(() => {
    const load = () => client.invalidateQueries({ queryKey: RUNS_KEY });
    return {
      async answer(key: string, choice: string, comment: string) {
        await api('POST /api/v1/runs/{id}/answer', { params: { id }, body: { key, choice, comment } });
        await load();
      },
      async decide(key: string, decision: 'repeat' | 'skip') {
        await api('POST /api/v1/runs/{id}/decide', { params: { id }, body: { key, decision } });
        await load();
      },
    };
  }, [client, id]);
  const questions = status === 'waiting' ? run.questions.filter(({ answer }) => answer === null) : [];
  const [key] = status === 'needs_attention' ? undecided : [];
  const elapsedMs = isOpen(status) ? Date.now() - new Date(startedAt).getTime() : undefined;
  return (
    <AnswerRunContext value={answering}>
      <div className="mx-auto grid w-full max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8">
        <div className="grid gap-1">
          <Link
            to={flow.data ? `/flows/${flowId}/runs` : '/runs'}
            className="flex w-fit items-center gap-1 rounded-sm text-sm text-soft hovered:text-ink"
          >
            <ChevronLeft size={15} aria-hidden="true" /> {flow.data ? 'Runs of this flow' : 'All runs'}
          </Link>
          <PageHead
            title={flowName}
            actions={<RunButtons run={run} document={document} registry={registry} isGone={flow.error !== null} />}
          />
          <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            <span role="status">
              <StatusBadge status={status} />
            </span>
            <time dateTime={startedAt}>{formatExactly(startedAt)}</time>
            <span>{startWords(run)}</span>
            <RunMetrics metrics={metrics} />
            <RunFilesLink run={id} />
          </div>
        </div>
        <Approvals questions={questions} titleOf={titleOf} />
        {key !== undefined && (
          <Decision
            interrupted={{ key, message: 'Croft cannot tell whether an effect of this run happened.' }}
            titleOf={titleOf}
          />
        )}
        {failure && <FailureNote failure={failure} titleOf={titleOf} />}
        <RunResult run={run} titleOf={titleOf} />
        <Card aria-label="Components" className="overflow-clip">
          <CardHead
            title="Components"
            about={
              timeline.length > 0
                ? 'In the order of their start. Select one for its inputs, outputs and log.'
                : isOpen(status)
                  ? 'None has started yet.'
                  : 'None has started.'
            }
          />
          {timeline.length > 0 && <Timeline timeline={timeline} elapsedMs={elapsedMs} words={words} />}
          {timelineIsCut && (
            <CardBody className="pt-3 text-sm text-soft">
              The run is too large for the history: some components, inputs, outputs or lines of logs are left out.
            </CardBody>
          )}
        </Card>
      </div>
    </AnswerRunContext>
  );
}
