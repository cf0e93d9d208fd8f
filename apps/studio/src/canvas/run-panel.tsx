import { CircleAlert } from 'lucide-react';
import { Approvals, Decision } from '../inspector/approvals.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Callout } from '../ui/state.tsx';
import type { Findings } from './findings.ts';
import { RunForm } from './run-form.tsx';
import type { FormValues, RunField } from './run-fields.ts';
import { formatMs, isUnderWay, type RunState } from './run-state.ts';
import { useRun } from './run-store.ts';

const WORDS: Readonly<Record<RunState['status'], { readonly word: string; readonly tone: BadgeTone }>> = {
  none: { word: 'Not run yet', tone: 'neutral' },
  starting: { word: 'Starting', tone: 'neutral' },
  running: { word: 'Running', tone: 'good' },
  waiting: { word: 'Waits for you', tone: 'warn' },
  needs_attention: { word: 'Needs attention', tone: 'warn' },
  completed: { word: 'Done', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Stopped', tone: 'neutral' },
  timed_out: { word: 'Timed out', tone: 'bad' },
  interrupted: { word: 'Interrupted', tone: 'warn' },
};

/** Runs the flow and shows the result. */
export function RunPanel({
  fields,
  problems,
  titleOf,
  onRun,
  onStop,
  onShow,
}: {
  fields: readonly RunField[];
  problems: Findings;
  titleOf: (node: string) => string;
  onRun: (values: FormValues) => void;
  onStop: () => void;
  onShow: (node: string) => void;
}) {
  const run = useRun();
  const { word, tone } = WORDS[run.status];
  return (
    <section aria-label="Run" className="grid gap-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-lg font-semibold tracking-tight">Run</h2>
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
        fields={fields}
        isUnderWay={isUnderWay(run)}
        isBlocked={problems.size > 0}
        onRun={onRun}
        onStop={onStop}
      />
      {run.questions && <Approvals questions={run.questions} titleOf={titleOf} />}
      {run.interrupted && <Decision interrupted={run.interrupted} titleOf={titleOf} />}
      <Failure run={run} titleOf={titleOf} onShow={onShow} />
      {run.status === 'completed' && <Result text={run.text} />}
      <Cost run={run} />
    </section>
  );
}

function ShowButton({ title, onShow }: { title: string; onShow: () => void }) {
  return (
    <button type="button" onClick={onShow} className="rounded-sm font-medium underline underline-offset-2">
      Show {title}
    </button>
  );
}

function Failure({
  run: { failure },
  titleOf,
  onShow,
}: {
  run: RunState;
  titleOf: (node: string) => string;
  onShow: (node: string) => void;
}) {
  if (!failure) return null;
  const { node, field, message, fix } = failure;
  return (
    <Callout tone="bad" role="alert" icon={<CircleAlert size={16} />}>
      {node !== undefined && (
        <p className="font-medium">
          {titleOf(node)}
          {field !== undefined && <> · {field}</>}
        </p>
      )}
      <p>{message}</p>
      {fix && <p className="mt-1">{fix}</p>}
      {node !== undefined && <ShowButton title={titleOf(node)} onShow={() => onShow(node)} />}
    </Callout>
  );
}

function Result({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">Result</h3>
        {text !== '' && <CopyButton text={text} label="Copy" />}
      </div>
      <p
        tabIndex={0}
        role="region"
        aria-label="Result"
        className="max-h-96 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text || 'The flow gave no text.'}
      </p>
    </div>
  );
}

function Cost({ run: { metrics } }: { run: RunState }) {
  if (!metrics) return null;
  const { duration_seconds, input_tokens, output_tokens } = metrics;
  return (
    <p className="text-sm text-soft">
      Took {formatMs(duration_seconds * 1_000)}
      {input_tokens + output_tokens > 0 && (
        <>
          {' '}
          · {input_tokens.toLocaleString('en')} tokens in, {output_tokens.toLocaleString('en')} out
        </>
      )}
    </p>
  );
}
