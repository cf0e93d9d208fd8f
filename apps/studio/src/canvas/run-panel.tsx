import { CircleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Approvals, Decision } from '../inspector/approvals.tsx';
import { ResultTextView } from '../runs/result-text-view.tsx';
import { RunMetrics } from '../runs/run-metrics.tsx';
import { STATUS_WORDS } from '../runs/run-status.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { cn } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Callout } from '../ui/state.tsx';
import type { Findings } from './findings.ts';
import { withoutJsonFences } from './result-text.ts';
import { RunForm } from './run-form.tsx';
import type { FormValues, RunField } from './run-fields.ts';
import { RunFailure, ShowButton } from './run-failure.tsx';
import { isBeginning, isUnderWay, type RunState } from './run-state.ts';
import { useRun } from './run-store.ts';

const WORDS: Readonly<Record<RunState['status'], { readonly word: string; readonly tone: BadgeTone }>> = {
  ...STATUS_WORDS,
  none: { word: 'Not run yet', tone: 'neutral' },
  starting: { word: 'Starting', tone: 'neutral' },
};

/** Runs the flow and shows the result. */
export function RunPanel({
  flowId,
  fields,
  problems,
  titleOf,
  onRun,
  onStop,
  onShow,
  result,
  form,
  isInTab = false,
}: {
  flowId: string;
  fields: readonly RunField[];
  problems: Findings;
  titleOf: (node: string) => string;
  onRun: (values: FormValues) => void;
  onStop: () => void;
  onShow: (node: string) => void;
  /** Shown after a completed run in place of its text. */
  result?: ReactNode;
  form?: Ref<HTMLFormElement> | undefined;
  /** The tab above it says what it is: on a phone, that is enough. */
  isInTab?: boolean;
}) {
  const run = useRun();
  const { word, tone } = WORDS[run.status];
  return (
    <section aria-label="Run" className="grid gap-4">
      <div
        className={cn('flex items-center justify-between gap-2', isInTab && run.status === 'none' && 'max-md:sr-only')}
      >
        <h2 className={cn('text-lg font-semibold tracking-tight', isInTab && 'max-md:sr-only')}>Run</h2>
        <span role="status">
          {run.status !== 'none' && (
            <Badge tone={tone} dot>
              {word}
            </Badge>
          )}
        </span>
      </div>
      {problems.size > 0 && !isUnderWay(run) && (
        <Callout tone="bad" icon={<CircleAlert size={16} />}>
          <p className="font-medium">
            {problems.size === 1 ? 'One component prevents a run:' : `${problems.size} components prevent a run:`}
          </p>
          <ul className="mt-1 grid gap-1">
            {[...problems].slice(0, 5).map(([node, { message, fix }]) => (
              <li key={node}>
                {message} {fix} <ShowButton title={titleOf(node)} onShow={() => onShow(node)} />
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <RunForm
        flowId={flowId}
        form={form}
        fields={fields}
        isUnderWay={isUnderWay(run)}
        isBeginning={isBeginning(run)}
        isBlocked={problems.size > 0}
        onRun={onRun}
        onStop={onStop}
      />
      {run.questions && <Approvals questions={run.questions} titleOf={titleOf} />}
      {run.interrupted && <Decision interrupted={run.interrupted} titleOf={titleOf} />}
      <RunFailure titleOf={titleOf} onShow={onShow} />
      {run.status === 'completed' && (result || <Result text={run.text} />)}
      <RunMetrics metrics={run.metrics} />
    </section>
  );
}

function Result({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">Result</h3>
        {text !== '' && <CopyButton text={withoutJsonFences(text)} label="Copy" />}
      </div>
      <ResultTextView
        text={text || 'The flow gave no text.'}
        label="Result"
        className="rounded-md border border-line bg-sunken px-3 py-2"
      />
    </div>
  );
}
